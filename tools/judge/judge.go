package main

import (
	"encoding/json"
	"errors"
	"os"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	"github.com/kubernetes-sigs/kro/pkg/runtime"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// rounds bounds how often the instances are reconciled until nothing changes.
const rounds = 20

// refusal is the error of a rejected package.
type refusal struct {
	stage, subject string
	cause          error
}

func (r *refusal) Error() string { return r.cause.Error() }

// defined is a kind that an RGD or a CRD defines.
type defined struct {
	name      string
	uid       string
	graph     *graph.Graph
	crd       *extv1.CustomResourceDefinition
	admission *admission
}

func judge(core *documents, request Request) Answer {
	answer := Answer{ID: request.ID}
	world := &world{kinds: newPackageKinds(core), defined: map[schema.GroupVersionKind]*defined{}, request: request}
	err := world.run(&answer)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		answer.Stage, answer.Subject, answer.Error = refused.stage, refused.subject, refused.cause.Error()
	case err != nil:
		answer.Stage, answer.Error = "request", err.Error()
	}
	return answer
}

func (w *world) run(answer *Answer) error {
	if err := w.read(); err != nil {
		return &refusal{"parse", "", err}
	}
	rgds, err := w.sort()
	if err != nil {
		return err
	}
	if err := w.compile(rgds, answer); err != nil {
		return err
	}
	if err := w.admitInstances(); err != nil {
		return err
	}
	return w.reconcileAll(answer)
}

// read adds the objects of a text.
func (w *world) read() error {
	objects, err := objectsOf(w.request.Input)
	if err != nil {
		return err
	}
	observed, err := objectsOf(w.request.ObservedInput)
	if err != nil {
		return err
	}
	w.request.Objects = append(w.request.Objects, objects...)
	w.request.Observed = append(w.request.Observed, observed...)
	return nil
}

// sort separates RGDs, CRDs and objects.
func (w *world) sort() ([]*v1alpha1.ResourceGraphDefinition, error) {
	var rgds []*v1alpha1.ResourceGraphDefinition
	for _, object := range w.request.Objects {
		kind := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
		switch {
		case kind.Group == "kro.run" && kind.Kind == "ResourceGraphDefinition":
			rgd, err := decodeRGD(object)
			if err != nil {
				return nil, &refusal{"parse", nameOf(object), err}
			}
			rgds = append(rgds, rgd)
		case kind.Group == "apiextensions.k8s.io" && kind.Kind == "CustomResourceDefinition":
			crd := &extv1.CustomResourceDefinition{}
			if err := decode(object, crd); err != nil {
				return nil, &refusal{"parse", nameOf(object), err}
			}
			extv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
			if names := crd.Spec.Names; names.Kind == "" || names.Plural == "" || crd.Spec.Group == "" {
				return nil, &refusal{"crd", crd.Name, errors.New("a CRD needs a group, a kind and a plural")}
			}
			if err := w.define(&defined{name: crd.Name, crd: crd}); err != nil {
				return nil, &refusal{"crd", crd.Name, err}
			}
		default:
			w.objects = append(w.objects, object)
		}
	}
	return rgds, nil
}

// rgdAdmission is what an API server with kro's CRD does to an RGD.
var rgdAdmission *admission

func loadRGDAdmission(file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	crd := &extv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, crd); err != nil {
		return err
	}
	rgdAdmission, err = newAdmission(crd, "v1alpha1")
	return err
}

// decodeRGD reads an RGD as an API server with strict field validation and kro's decoder do.
func decodeRGD(object map[string]any) (*v1alpha1.ResourceGraphDefinition, error) {
	if rgdAdmission != nil {
		if err := rgdAdmission.admit(object, nil); err != nil {
			return nil, err
		}
	}
	rgd := &v1alpha1.ResourceGraphDefinition{}
	if err := decode(object, rgd); err != nil {
		return nil, err
	}
	if rgd.Name == "" {
		return nil, errors.New("metadata.name: Required value: name or generateName is required")
	}
	if rgd.Spec.Schema == nil {
		return nil, errors.New("spec.schema: Required value")
	}
	if rgd.Spec.Schema.Group == "" {
		rgd.Spec.Schema.Group = "kro.run"
	}
	if rgd.Spec.Schema.Scope == "" {
		rgd.Spec.Schema.Scope = v1alpha1.ResourceScopeNamespaced
	}
	return rgd, nil
}

func decode(object map[string]any, into any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	strict, err := kjson.UnmarshalStrict(text, into)
	if err != nil {
		return err
	}
	return errors.Join(strict...)
}

func nameOf(object map[string]any) string {
	return (&unstructured.Unstructured{Object: object}).GetName()
}

// define registers the kinds of a CRD.
func (w *world) define(one *defined) error {
	served, err := servedCRDs.get(one.crd)
	if err != nil {
		return err
	}
	w.kinds.add(one.crd, served.published)
	for _, version := range one.crd.Spec.Versions {
		each := *one
		each.admission = served.admissions[version.Name]
		kind := schema.GroupVersionKind{Group: one.crd.Spec.Group, Version: version.Name, Kind: one.crd.Spec.Names.Kind}
		w.defined[kind] = &each
	}
	return nil
}

// compile builds the graphs. An RGD that uses the kind of another one comes after it, whatever the order of writing,
// since kro tries again when a kind appears: what cannot be built is tried until a round brings nothing new.
func (w *world) compile(rgds []*v1alpha1.ResourceGraphDefinition, answer *Answer) error {
	builder, err := graph.NewBuilder(nil, nil, graph.WithSchemaResolver(w.kinds), graph.WithRESTMapper(w.kinds))
	if err != nil {
		return err
	}
	crds := map[string]json.RawMessage{}
	left := rgds
	for len(left) > 0 {
		var failed []*v1alpha1.ResourceGraphDefinition
		var first error
		for _, rgd := range left {
			built, err := builder.NewResourceGraphDefinition(rgd, limits)
			if err != nil {
				if first == nil {
					first = &refusal{"compile", rgd.Name, err}
				}
				failed = append(failed, rgd)
				continue
			}
			// As it reaches the API server: written and read again.
			text, err := json.Marshal(built.CRD)
			if err != nil {
				return &refusal{"crd", rgd.Name, err}
			}
			built.CRD = &extv1.CustomResourceDefinition{}
			if err := json.Unmarshal(text, built.CRD); err != nil {
				return err
			}
			if err := admitCRD(built.CRD); err != nil {
				return &refusal{"crd", rgd.Name, err}
			}
			if err := w.define(&defined{name: rgd.Name, uid: string(rgd.UID), graph: built, crd: built.CRD}); err != nil {
				return &refusal{"crd", rgd.Name, err}
			}
			crds[rgd.Name] = text
		}
		if len(failed) == len(left) {
			return first
		}
		left = failed
	}
	if !w.request.CRDs {
		return nil
	}
	for _, rgd := range rgds {
		answer.CRDs = append(answer.CRDs, crds[rgd.Name])
	}
	return nil
}

var errPending = runtime.ErrDataPending

func pendingOr(stage string, err error) string {
	if runtime.IsDataPending(err) || errors.Is(err, errPending) {
		return "pending"
	}
	return stage
}
