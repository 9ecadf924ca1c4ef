// Command fates lets kustomize-controller's reconciler act on the Kustomizations of random histories, in given orders.
// It is built in a copy of the controller, whose packages are internal, with the stand-ins beside it for what no history
// has: SOPS, cloud providers, SPIFFE, and the download of an artifact.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	sourcev1 "github.com/fluxcd/source-controller/api/v1"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/kustomize-controller/internal/controller"
)

// version is what one commit has: the objects that people apply, and those of each folder of the artifact.
type version struct {
	People  []*unstructured.Unstructured            `json:"people"`
	Folders map[string][]*unstructured.Unstructured `json:"folders"`
}

// history is one line of standard input.
type history struct {
	Before version `json:"before"`
	After  version `json:"after"`
	// Orders are of `Kustomization NAME`, and of `apply` and `delete`, which people do once.
	Orders    [][]string `json:"orders"`
	Namespace string     `json:"namespace"`
}

// fate is what happened to an object in one order.
type fate struct {
	Deleted      bool `json:"deleted"`
	DeletedLater bool `json:"deletedLater"`
	Present      bool `json:"present"`
}

type ended struct {
	Fates []map[string]*fate `json:"fates,omitempty"`
	Error string             `json:"error,omitempty"`
}

var watchedKinds = []schema.GroupVersionKind{
	{Version: "v1", Kind: "ConfigMap"},
	{Version: "v1", Kind: "Secret"},
	{Version: "v1", Kind: "PersistentVolumeClaim"},
	kustomizev1.GroupVersion.WithKind("Kustomization"),
	sourcev1.GroupVersion.WithKind("GitRepository"),
}

func main() {
	if err := decideFates(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fates:", err)
		os.Exit(1)
	}
}

func decideFates(kubeconfig string, input io.Reader, output io.Writer) error {
	ctrl.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 1000, 2000
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), kustomizev1.AddToScheme(scheme), sourcev1.AddToScheme(scheme)); err != nil {
		return err
	}
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "fates-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	world := &world{client: direct, folder: folder, reconciler: &controller.KustomizationReconciler{
		Client:         direct,
		APIReader:      direct,
		EventRecorder:  noEvents{},
		ConcurrentSSA:  1,
		ControllerName: "kustomize-controller",
		Mapper:         direct.RESTMapper(),
		StatusManager:  "gotk-kustomize-controller",
	}}
	decoder, encoder := json.NewDecoder(input), json.NewEncoder(output)
	for {
		var asked history
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		answered := ended{}
		for _, order := range asked.Orders {
			fates, err := world.run(context.Background(), asked, order)
			if err != nil {
				answered.Error = fmt.Sprintf("%s: %v", strings.Join(order, ", "), err)
				break
			}
			answered.Fates = append(answered.Fates, fates)
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
}

// noEvents takes the events of the controller.
type noEvents struct{}

func (noEvents) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}

func (noEvents) AnnotatedEventf(runtime.Object, runtime.Object, map[string]string, string, string, string, string, ...any) {
}

type world struct {
	client     client.Client
	reconciler *controller.KustomizationReconciler
	// folder has the artifact of each revision.
	folder   string
	revision string
}

// maxRounds bounds how often each actor acts until nothing changes.
const maxRounds = 8

func (w *world) run(ctx context.Context, asked history, order []string) (map[string]*fate, error) {
	if err := w.clean(ctx); err != nil {
		return nil, fmt.Errorf("cleaning: %w", err)
	}
	for _, name := range []string{asked.Namespace, "flux-system"} {
		namespace := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
		if err := client.IgnoreAlreadyExists(w.client.Create(ctx, namespace)); err != nil {
			return nil, err
		}
	}
	// It was deployed before it was suspended.
	for _, version := range []version{resumed(asked.Before), asked.Before} {
		if err := w.publish(ctx, "before", version); err != nil {
			return nil, err
		}
		if err := w.apply(ctx, version); err != nil {
			return nil, err
		}
		if err := w.settle(ctx, nil, func(actor string) error { return w.step(ctx, actor) }, func() error { return nil }); err != nil {
			return nil, fmt.Errorf("the older version: %w", err)
		}
	}
	first, err := w.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	fates := map[string]*fate{}
	for key := range first {
		fates[key] = &fate{}
	}
	if err := w.publish(ctx, "after", asked.After); err != nil {
		return nil, err
	}
	done := map[string]bool{}
	act := func(actor string) error {
		if actor != "apply" && actor != "delete" {
			return w.step(ctx, actor)
		}
		if done[actor] {
			return nil
		}
		done[actor] = true
		if actor == "apply" {
			return w.apply(ctx, asked.After)
		}
		return w.delete(ctx, asked)
	}
	see := func() error {
		now, err := w.snapshot(ctx)
		for key, uid := range first {
			if now[key] != uid {
				fates[key].Deleted, fates[key].DeletedLater = true, true
			}
		}
		return err
	}
	if err := w.settle(ctx, order, act, see); err != nil {
		return nil, err
	}
	last, err := w.snapshot(ctx)
	for key := range fates {
		fates[key].Present = last[key] != ""
	}
	return fates, err
}

// publish writes the files of a version as the artifact that the GitRepositories have from now on.
func (w *world) publish(ctx context.Context, revision string, asked version) error {
	w.revision = revision
	root := filepath.Join(w.folder, revision)
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	for folder, objects := range asked.Folders {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			return err
		}
		for _, object := range objects {
			text, err := json.Marshal(object)
			if err != nil {
				return err
			}
			file := filepath.Join(root, folder, fmt.Sprintf("%s-%s.yaml", object.GetKind(), object.GetName()))
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return err
			}
		}
	}
	return w.setArtifacts(ctx)
}

// setArtifacts does what source-controller does after a fetch.
func (w *world) setArtifacts(ctx context.Context) error {
	repositories := &sourcev1.GitRepositoryList{}
	if err := w.client.List(ctx, repositories); err != nil {
		return err
	}
	for _, one := range repositories.Items {
		patch := map[string]any{"status": map[string]any{"artifact": map[string]any{
			"path": w.revision, "url": filepath.Join(w.folder, w.revision), "revision": "main@sha1:" + w.revision,
			"digest": "sha256:" + strings.Repeat("0", 64), "lastUpdateTime": "2026-01-01T00:00:00Z",
		}}}
		text, err := json.Marshal(patch)
		if err != nil {
			return err
		}
		if err := w.client.Status().Patch(ctx, &one, client.RawPatch(types.MergePatchType, text)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) apply(ctx context.Context, asked version) error {
	for _, object := range asked.People {
		if err := w.client.Patch(ctx, object.DeepCopy(), client.Apply, client.FieldOwner("people"), client.ForceOwnership); err != nil {
			return err
		}
	}
	return w.setArtifacts(ctx)
}

func (w *world) delete(ctx context.Context, asked history) error {
	for _, object := range asked.Before.People {
		isKept := slices.ContainsFunc(asked.After.People, func(one *unstructured.Unstructured) bool { return keyOf(*one) == keyOf(*object) })
		if isKept {
			continue
		}
		if err := client.IgnoreNotFound(w.client.Delete(ctx, object.DeepCopy())); err != nil {
			return err
		}
	}
	return nil
}

// resumed is a version without suspended Kustomizations.
func resumed(asked version) version {
	unsuspended := func(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
		var found []*unstructured.Unstructured
		for _, object := range objects {
			one := object.DeepCopy()
			unstructured.RemoveNestedField(one.Object, "spec", "suspend")
			found = append(found, one)
		}
		return found
	}
	folders := map[string][]*unstructured.Unstructured{}
	for folder, objects := range asked.Folders {
		folders[folder] = unsuspended(objects)
	}
	return version{People: unsuspended(asked.People), Folders: folders}
}

// settle lets the actors act in an order until a round changes nothing. Those that the order does not name act last.
func (w *world) settle(ctx context.Context, order []string, act func(string) error, see func() error) error {
	known := ""
	for range maxRounds {
		actors := slices.Clone(order)
		found := &kustomizev1.KustomizationList{}
		if err := w.client.List(ctx, found); err != nil {
			return err
		}
		for _, one := range found.Items {
			if actor := "Kustomization " + one.Name; !slices.Contains(actors, actor) {
				actors = append(actors, actor)
			}
		}
		for _, actor := range actors {
			if err := act(actor); err != nil {
				return fmt.Errorf("%s: %w", actor, err)
			}
			if err := w.collect(ctx); err != nil {
				return err
			}
			if err := see(); err != nil {
				return err
			}
		}
		now, err := w.state(ctx)
		if err != nil || now == known {
			return err
		}
		known = now
	}
	return errors.New("it does not settle")
}

// maxSteps bounds how often the reconciler asks to be called again at once.
const maxSteps = 4

func (w *world) step(ctx context.Context, actor string) error {
	_, name, _ := strings.Cut(actor, " ")
	request := ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "flux-system", Name: name}}
	for range maxSteps {
		result, err := w.reconciler.Reconcile(ctx, request)
		if err != nil {
			return err
		}
		if !result.Requeue { //nolint:staticcheck // The reconciler sets it.
			return nil
		}
	}
	return nil
}

func keyOf(object unstructured.Unstructured) string {
	return fmt.Sprintf("%s %s/%s", object.GetKind(), object.GetNamespace(), object.GetName())
}

func (w *world) all(ctx context.Context) ([]unstructured.Unstructured, error) {
	var found []unstructured.Unstructured
	for _, kind := range watchedKinds {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := w.client.List(ctx, list); err != nil {
			return nil, err
		}
		for _, one := range list.Items {
			isSystem := strings.HasPrefix(one.GetNamespace(), "kube-") || one.GetNamespace() == "argocd" || one.GetName() == "kube-root-ca.crt"
			if !isSystem {
				found = append(found, one)
			}
		}
	}
	return found, nil
}

// snapshot has the UID of each object that is not being deleted.
func (w *world) snapshot(ctx context.Context) (map[string]types.UID, error) {
	objects, err := w.all(ctx)
	found := map[string]types.UID{}
	for _, object := range objects {
		if object.GetDeletionTimestamp() == nil {
			found[keyOf(object)] = object.GetUID()
		}
	}
	return found, err
}

// state is a text that differs if an actor did something.
func (w *world) state(ctx context.Context) (string, error) {
	objects, err := w.all(ctx)
	var texts []string
	for _, object := range objects {
		inventory, _, _ := unstructured.NestedMap(object.Object, "status", "inventory")
		texts = append(texts, fmt.Sprint(keyOf(object), object.GetUID(), object.GetGeneration(), object.GetDeletionTimestamp(), object.GetFinalizers(), object.GetLabels(), inventory))
	}
	return strings.Join(texts, "\n"), err
}

// collect finishes the deletion of what nothing uses here, as Kubernetes' own controllers do.
func (w *world) collect(ctx context.Context) error {
	objects, err := w.all(ctx)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if object.GetDeletionTimestamp() == nil || object.GetKind() != "PersistentVolumeClaim" {
			continue
		}
		if err := w.release(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) release(ctx context.Context, object unstructured.Unstructured) error {
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	return client.IgnoreNotFound(w.client.Patch(ctx, &object, patch))
}

// clean deletes all that an earlier history left.
func (w *world) clean(ctx context.Context) error {
	for range maxRounds {
		objects, err := w.all(ctx)
		if err != nil || len(objects) == 0 {
			return err
		}
		for _, object := range objects {
			if len(object.GetFinalizers()) > 0 {
				if err := w.release(ctx, object); err != nil {
					return err
				}
			}
			if err := client.IgnoreNotFound(w.client.Delete(ctx, &object)); err != nil {
				return err
			}
		}
		if err := w.collect(ctx); err != nil {
			return err
		}
	}
	return errors.New("objects of an earlier history remain")
}
