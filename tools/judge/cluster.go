package main

import (
	"fmt"
	"sort"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// cluster holds objects by identity, as an API server would.
type cluster struct {
	objects map[identity]map[string]any
	// observed is laid over objects when they are written: status, and fields that the cluster fills in.
	observed map[identity]map[string]any
}

type identity struct{ group, kind, namespace, name string }

func (i identity) String() string { return fmt.Sprintf("%s/%s", i.kind, i.name) }

func identityOf(object map[string]any) identity {
	one := &unstructured.Unstructured{Object: object}
	group := one.GroupVersionKind().Group
	return identity{group, one.GetKind(), one.GetNamespace(), one.GetName()}
}

// write stores an object, with what was observed of it.
func (c *cluster) write(object map[string]any) map[string]any {
	key := identityOf(object)
	stored := object
	if seen, ok := c.observed[key]; ok {
		stored = overlay(seen, object)
	}
	c.objects[key] = stored
	return stored
}

// overlay lays what is wanted over what was observed: maps are merged, everything else is replaced.
func overlay(observed, desired map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range observed {
		out[key] = value
	}
	for key, value := range desired {
		below, isMap := out[key].(map[string]any)
		above, both := value.(map[string]any)
		if isMap && both {
			out[key] = overlay(below, above)
			continue
		}
		out[key] = value
	}
	return out
}

// list returns the objects of a kind that a selector matches, by namespace and name; all namespaces when empty.
func (c *cluster) list(kind schema.GroupVersionKind, namespace string, selector labels.Selector) []*unstructured.Unstructured {
	// Never nil: to the engine, an empty list is a result and nil is none.
	found := []*unstructured.Unstructured{}
	for key, object := range c.objects {
		one := &unstructured.Unstructured{Object: object}
		if key.group != kind.Group || key.kind != kind.Kind || (namespace != "" && key.namespace != namespace) {
			continue
		}
		if selector.Matches(labels.Set(one.GetLabels())) {
			found = append(found, one.DeepCopy())
		}
	}
	sort.Slice(found, func(a, b int) bool {
		if found[a].GetNamespace() != found[b].GetNamespace() {
			return found[a].GetNamespace() < found[b].GetNamespace()
		}
		return found[a].GetName() < found[b].GetName()
	})
	return found
}
