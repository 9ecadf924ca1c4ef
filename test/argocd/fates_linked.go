package main

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/argoproj/argo-cd/v3/controller"
)

// The steps of the application controller are not exported. They are linked by their names, so that no rule is copied:
// a release of Argo CD that renames one does not build.

// processRefresh is a step of a worker of the refresh queue: it compares an Application, and starts an automated sync.
//
//go:linkname processRefresh github.com/argoproj/argo-cd/v3/controller.(*ApplicationController).processAppRefreshQueueItem
func processRefresh(*controller.ApplicationController) bool

// processOperation is a step of a worker of the operation queue: it syncs an Application, or finalizes its deletion.
//
//go:linkname processOperation github.com/argoproj/argo-cd/v3/controller.(*ApplicationController).processAppOperationQueueItem
func processOperation(*controller.ApplicationController) bool

// isWatched reports whether the controller puts an Application into its queues.
//
//go:linkname isWatched github.com/argoproj/argo-cd/v3/controller.(*ApplicationController).canProcessApp
func isWatched(*controller.ApplicationController, any) bool

// askRefresh marks an Application, so that its next step compares it.
//
//go:linkname askRefresh github.com/argoproj/argo-cd/v3/controller.(*ApplicationController).requestAppRefresh
func askRefresh(*controller.ApplicationController, string, *controller.CompareWith, *time.Duration)

// fieldOf is a field of the controller that is not exported.
func fieldOf[T any](of *controller.ApplicationController, name string) *T {
	return (*T)(unsafe.Pointer(reflect.ValueOf(of).Elem().FieldByName(name).UnsafeAddr()))
}
