//go:build tools

// Package tools names the modules whose API types become the table.
package tools

import (
	_ "github.com/fluxcd/helm-controller/api/v2"
	_ "github.com/fluxcd/image-automation-controller/api/v1"
	_ "github.com/fluxcd/image-reflector-controller/api/v1"
	_ "github.com/fluxcd/kustomize-controller/api/v1"
	_ "github.com/fluxcd/notification-controller/api/v1"
	_ "github.com/fluxcd/source-controller/api/v1"
	_ "github.com/fluxcd/source-watcher/api/v2/v1beta1"
	_ "sigs.k8s.io/controller-tools/cmd/controller-gen"
)
