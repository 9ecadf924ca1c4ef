// What differs between releases of kro: the folders beside this one have this file for other releases.
package main

import (
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// limits are kro's defaults.
var limits = graph.Config{MaxCollectionSize: 1000, MaxCollectionDimensionSize: 10}

// newRun starts a reconciliation of an instance.
func newRun(compiled *graph.Graph, instance *unstructured.Unstructured) (*runtime.Runtime, error) {
	return runtime.FromGraph(compiled, limits, runtime.WithInstance(instance))
}
