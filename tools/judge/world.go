package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/kubernetes-sigs/kro/pkg/controller/instance/applyset"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/metadata"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	runtimeutil "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
)

// world is a package in a cluster.
type world struct {
	request Request
	kinds   *packageKinds
	defined map[schema.GroupVersionKind]*defined
	// objects of the package that are neither RGD nor CRD, in order.
	objects []map[string]any
	cluster *cluster
	// instances to reconcile, in order; nested ones are added when their parent writes them.
	instances []identity
	kindOf    map[identity]schema.GroupVersionKind
	// statuses are what the last run of each instance wrote, and waits its pending nodes.
	statuses map[identity]map[string]any
	waits    map[identity][]string
}

// admitInstances puts the objects of the package into the cluster.
func (w *world) admitInstances() error {
	w.cluster = &cluster{
		objects:    map[identity]map[string]any{},
		observed:   map[identity]map[string]any{},
		unselected: map[identity]bool{},
	}
	w.kindOf = map[identity]schema.GroupVersionKind{}
	w.statuses = map[identity]map[string]any{}
	w.waits = map[identity][]string{}
	for _, object := range w.request.Observed {
		w.place(object)
		w.cluster.observed[identityOf(object)] = object
		w.cluster.objects[identityOf(object)] = object
	}
	for _, object := range w.objects {
		w.place(object)
		key := identityOf(object)
		if w.isUnserved(object) {
			return &refusal{"instance", key.String(), fmt.Errorf("no matches for kind in version %v", object["apiVersion"])}
		}
		// What was seen in the cluster is how an object of the package is there.
		if _, seen := w.cluster.observed[key]; seen && !w.isInstance(object) {
			continue
		}
		if err := w.write(object); err != nil {
			return &refusal{"instance", identityOf(object).String(), err}
		}
	}
	return nil
}

// place gives the default namespace to a namespaced object without one.
func (w *world) place(object map[string]any) {
	one := &unstructured.Unstructured{Object: object}
	if one.GetNamespace() != "" {
		return
	}
	mapping, err := w.kinds.RESTMapping(one.GroupVersionKind().GroupKind(), one.GroupVersionKind().Version)
	if err != nil || mapping.Scope.Name() != "namespace" {
		return
	}
	namespace := w.request.Namespace
	if namespace == "" {
		namespace = "default"
	}
	one.SetNamespace(namespace)
}

// isUnserved answers whether an RGD defines the kind of an object, but in other versions.
func (w *world) isUnserved(object map[string]any) bool {
	kind := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	if w.defined[kind] != nil {
		return false
	}
	for known, one := range w.defined {
		if known.GroupKind() == kind.GroupKind() && one.graph != nil {
			return true
		}
	}
	return false
}

func (w *world) isInstance(object map[string]any) bool {
	one := w.defined[(&unstructured.Unstructured{Object: object}).GroupVersionKind()]
	return one != nil && one.graph != nil
}

// write admits an object and stores it; an instance of an RGD is queued.
func (w *world) write(object map[string]any) error {
	one := &unstructured.Unstructured{Object: object}
	kind := one.GroupVersionKind()
	definition := w.defined[kind]
	if definition != nil && definition.graph != nil {
		// The status is a subresource: what an author writes there is dropped.
		delete(object, "status")
	}
	if err := w.admit(definition, object); err != nil {
		return err
	}
	// With the defaults of its schema in it.
	back, err := stored(object)
	if err != nil {
		return err
	}
	maps.Copy(object, back)
	// An API server stores no empty map of labels or annotations.
	for _, field := range []string{"labels", "annotations"} {
		if values, found, _ := unstructured.NestedMap(object, "metadata", field); found && len(values) == 0 {
			unstructured.RemoveNestedField(object, "metadata", field)
		}
	}
	if one.GetName() == "" {
		return errors.New("metadata.name: Required value: name or generateName is required")
	}
	key := identityOf(object)
	if before, ok := w.cluster.objects[key]; ok {
		// The status of a nested instance is its own controller's.
		if status, ok := before["status"]; ok && object["status"] == nil {
			object["status"] = status
		}
		one.SetUID((&unstructured.Unstructured{Object: before}).GetUID())
	}
	if one.GetUID() == "" {
		one.SetUID(uidOf(key))
	}
	w.cluster.write(object)
	if definition != nil && definition.graph != nil {
		if _, ok := w.kindOf[key]; !ok {
			w.instances = append(w.instances, key)
		}
		w.kindOf[key] = kind
	}
	return nil
}

// admit holds an object against its schema. Defaults are filled into instances; into other objects they are not, since
// nobody reads them where there is no cluster (docs/differences.md).
func (w *world) admit(definition *defined, object map[string]any) error {
	if definition == nil || definition.admission == nil {
		return nil
	}
	if definition.graph == nil {
		return definition.admission.admit(runtimeutil.DeepCopyJSON(object), nil)
	}
	before := w.cluster.observed[identityOf(object)]
	if before == nil {
		return definition.admission.admit(object, nil)
	}
	return definition.admission.admit(object, runtimeutil.DeepCopyJSON(before))
}

// uidOf gives an object the uid that render-rgd reads where none is given, so that what is made of it can be compared.
func uidOf(key identity) types.UID {
	name := strings.Join([]string{key.group, key.kind, key.namespace, key.name}, "/")
	return types.UID(uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String())
}

// reconcileAll reconciles every instance until nothing changes, then answers what was applied.
func (w *world) reconcileAll(answer *Answer) error {
	applied := map[identity][]*unstructured.Unstructured{}
	problems := map[identity]error{}
	for range rounds {
		before := w.snapshot()
		for i := 0; i < len(w.instances); i++ {
			key := w.instances[i]
			objects, err := w.reconcile(key)
			applied[key], problems[key] = objects, err
		}
		if bytes.Equal(before, w.snapshot()) {
			break
		}
	}
	for _, key := range w.instances {
		for _, object := range applied[key] {
			answer.Objects = append(answer.Objects, object.Object)
		}
	}
	var first error
	for _, key := range w.instances {
		one := Outcome{Subject: key.String(), Waits: w.waits[key], Status: w.statuses[key]}
		for _, object := range applied[key] {
			one.Applied = append(one.Applied, object.Object)
		}
		if err := problems[key]; err != nil {
			var refused *refusal
			if !errors.As(err, &refused) {
				refused = &refusal{pendingOr("expand", err), key.String(), err}
			}
			one.Stage, one.Error = refused.stage, refused.cause.Error()
			if first == nil {
				first = refused
			}
		}
		if w.request.Outcomes {
			answer.Outcomes = append(answer.Outcomes, one)
		}
	}
	return first
}

func (w *world) snapshot() []byte {
	type entry struct {
		Key    string
		Object map[string]any
	}
	var all []entry
	for _, key := range w.instances {
		all = append(all, entry{key.String() + key.namespace, w.cluster.objects[key]})
	}
	text, _ := json.Marshal(all)
	return append(text, byte(len(w.cluster.objects)))
}

// reconcile runs one instance as kro's controller does, and returns what it applied.
func (w *world) reconcile(key identity) ([]*unstructured.Unstructured, error) {
	definition := w.defined[w.kindOf[key]]
	compiled := *definition.graph
	compiled.Nodes = map[string]*graph.Node{}
	for id, node := range definition.graph.Nodes {
		// Nothing in this cluster becomes ready by itself: readiness holds nothing back.
		free := node.DeepCopy()
		free.ReadyWhen = nil
		compiled.Nodes[id] = free
	}
	instance := (&unstructured.Unstructured{Object: w.cluster.objects[key]}).DeepCopy()
	run, err := newRun(&compiled, instance)
	if err != nil {
		return nil, err
	}
	var applied []*unstructured.Unstructured
	var firstPending error
	w.waits[key] = nil
	for _, node := range run.Nodes() {
		objects, err := w.node(instance, definition, node)
		if err != nil {
			if !runtime.IsDataPending(err) {
				return nil, err
			}
			w.waits[key] = append(w.waits[key], node.Spec.Meta.ID)
			if firstPending == nil {
				firstPending = fmt.Errorf("node %s: %w", node.Spec.Meta.ID, err)
			}
		}
		applied = append(applied, objects...)
	}
	if err := w.project(instance, applied); err != nil {
		return nil, err
	}
	if err := w.status(key, run); err != nil {
		// kro's controller returns an error of the status beside a pending node too, and writes no status.
		if !runtime.IsDataPending(err) {
			return applied, err
		}
		if firstPending == nil {
			firstPending = err
		}
	}
	return applied, firstPending
}

// project rejects two objects of one instance that have one identity, as kro's controller does before it applies them.
func (w *world) project(instance *unstructured.Unstructured, applied []*unstructured.Unstructured) error {
	resources := make([]applyset.Resource, 0, len(applied))
	for index, object := range applied {
		resources = append(resources, applyset.Resource{ID: strconv.Itoa(index), Object: object})
	}
	config := applyset.Config{RESTMapper: w.kinds, ParentNamespace: instance.GetNamespace()}
	if _, err := applyset.New(config, instance).Project(resources); errors.Is(err, applyset.ErrDuplicateResource) {
		return &refusal{"collision", identityOf(instance.Object).String(), err}
	}
	return nil
}

func (w *world) node(instance *unstructured.Unstructured, definition *defined, node *runtime.Node) ([]*unstructured.Unstructured, error) {
	ignored, err := node.IsIgnored()
	if err != nil || ignored {
		return nil, err
	}
	desired, err := node.GetDesired()
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{}
	if len(desired) > 0 {
		kind = desired[0].GroupVersionKind()
	}
	switch node.Spec.Meta.Type {
	case graph.NodeTypeExternal:
		key := identityOf(desired[0].Object)
		found, ok := w.cluster.objects[key]
		if !ok {
			return nil, fmt.Errorf("external reference %s not found: %w", key, errPending)
		}
		node.SetObserved([]*unstructured.Unstructured{(&unstructured.Unstructured{Object: found}).DeepCopy()})
		return nil, nil
	case graph.NodeTypeExternalCollection:
		selector, err := selectorOf(desired[0])
		if err != nil {
			return nil, err
		}
		namespace := desired[0].GetNamespace()
		if !node.Spec.Meta.Namespaced {
			namespace = ""
		}
		node.SetObserved(w.cluster.list(kind, namespace, selector))
		return nil, nil
	}
	applied, observed := []*unstructured.Unstructured{}, []*unstructured.Unstructured{}
	for index, object := range desired {
		written, err := stored(object.Object)
		if err != nil {
			return nil, err
		}
		out := (&unstructured.Unstructured{Object: written}).DeepCopy()
		decorated := &unstructured.Unstructured{Object: written}
		decorate(decorated, instance, definition, node, index, len(desired))
		if w.request.Unselected {
			w.cluster.hide(decorated.Object)
		}
		if err := w.write(decorated.Object); err != nil {
			return nil, &refusal{"instance", identityOf(out.Object).String(), err}
		}
		applied = append(applied, out)
		observed = append(observed, (&unstructured.Unstructured{Object: w.cluster.objects[identityOf(decorated.Object)]}).DeepCopy())
	}
	node.SetObserved(observed)
	return applied, nil
}

// decorate adds the labels that render-rgd writes where kro's controller writes its own, which differ in three of them
// (docs/differences.md), so that what expressions make of the labels of an object can be compared.
func decorate(object, instance *unstructured.Unstructured, definition *defined, node *runtime.Node, index, size int) {
	all := object.GetLabels()
	if all == nil {
		all = map[string]string{}
	}
	for key, value := range metadata.NewInstanceLabeler(instance, instance.GetNamespace() != "").Labels() {
		all[key] = labelValue(value)
	}
	all[metadata.ManagedByLabelKey] = "render-rgd"
	all[metadata.OwnedLabel] = "true"
	all[metadata.ResourceGraphDefinitionNameLabel] = labelValue(definition.name)
	if definition.uid != "" {
		all[metadata.ResourceGraphDefinitionIDLabel] = definition.uid
	}
	all[metadata.NodeIDLabel] = labelValue(node.Spec.Meta.ID)
	if node.Spec.Meta.Type == graph.NodeTypeCollection {
		all[metadata.CollectionIndexLabel] = strconv.Itoa(index)
		all[metadata.CollectionSizeLabel] = strconv.Itoa(size)
	}
	object.SetLabels(all)
}

// labelValue shortens what is too long for a label as render-rgd does.
func labelValue(value string) string {
	if len(value) <= validation.LabelValueMaxLength {
		return value
	}
	return fmt.Sprintf("h-%.20x", sha256.Sum256([]byte(value)))
}

// selectorOf reads the selector of a reference strictly, as kro does; without one everything matches.
func selectorOf(reference *unstructured.Unstructured) (labels.Selector, error) {
	raw, found, err := unstructured.NestedMap(reference.Object, "metadata", "selector")
	if err != nil || !found {
		return labels.Everything(), nil
	}
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	selector := &metav1.LabelSelector{}
	if err := decoder.Decode(selector); err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// status writes the author's status fields of an instance, those that can be computed.
func (w *world) status(key identity, run *runtime.Runtime) error {
	delete(w.statuses, key)
	desired, err := run.Instance().GetDesired()
	if err != nil {
		return err
	}
	resolved, found, _ := unstructured.NestedMap(desired[0].Object, "status")
	if !found {
		return nil
	}
	before := w.cluster.objects[key]
	after := (&unstructured.Unstructured{Object: before}).DeepCopy().Object
	status, _ := after["status"].(map[string]any)
	if status == nil {
		status = map[string]any{}
	}
	delete(resolved, "conditions")
	delete(resolved, "state")
	maps.Copy(status, resolved)
	after["status"] = status
	after, err = stored(after)
	if err != nil {
		return err
	}
	// An API server that refuses the status leaves what is there; kro's controller tries again.
	if err := w.defined[w.kindOf[key]].admission.admitStatus(after, runtimeutil.DeepCopyJSON(before)); err != nil {
		return nil
	}
	w.statuses[key], _, _ = unstructured.NestedMap(after, "status")
	if !reflect.DeepEqual(before, after) {
		w.cluster.objects[key] = after
	}
	return nil
}
