package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

// ObjectsRequest asks what an API server that serves a CRD says of objects.
type ObjectsRequest struct {
	ID      string          `json:"id"`
	CRD     json.RawMessage `json:"crd"`
	Objects []ObjectRequest `json:"objects"`
}

// ObjectRequest is an object of the first version of the CRD: created, or with Old written over that one.
type ObjectRequest struct {
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old,omitempty"`
}

// ObjectsAnswer has one verdict for each object, or says why the CRD is refused.
type ObjectsAnswer struct {
	ID       string          `json:"id"`
	Error    string          `json:"error,omitempty"`
	Verdicts []ObjectVerdict `json:"verdicts,omitempty"`
}

// ObjectVerdict is empty for an object that is taken.
type ObjectVerdict struct {
	Errors []string `json:"errors,omitempty"`
}

// answerObjects answers one line of `judge objects`.
func answerObjects(line []byte) any {
	var request ObjectsRequest
	if err := json.Unmarshal(line, &request); err != nil {
		return ObjectsAnswer{Error: err.Error()}
	}
	answer := ObjectsAnswer{ID: request.ID}
	store, err := newObjectStore(request.CRD)
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	for _, one := range request.Objects {
		answer.Verdicts = append(answer.Verdicts, ObjectVerdict{store.write(one)})
	}
	return answer
}

// strategy is what the registry of custom resources does when one is written; its type has no name outside.
type strategy interface {
	PrepareForCreate(context.Context, runtime.Object)
	PrepareForUpdate(ctx context.Context, obj, old runtime.Object)
	Validate(context.Context, runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// objectStore writes objects as the handler for custom resources of an API server does, up to etcd.
type objectStore struct {
	shape    *structural.Structural
	strategy strategy
}

func newObjectStore(text []byte) (*objectStore, error) {
	crd := &extv1.CustomResourceDefinition{}
	strict, err := kjson.UnmarshalStrict(text, crd)
	if err = errors.Join(append(strict, err)...); err != nil {
		return nil, err
	}
	all, err := internal(crd)
	if err != nil {
		return nil, err
	}
	version := crd.Spec.Versions[0]
	props := &apiextensions.JSONSchemaProps{}
	if err := extv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, props, nil); err != nil {
		return nil, err
	}
	shape, err := structural.NewStructural(props)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(shape); err != nil {
		return nil, err
	}
	checks, _, err := schemavalidation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	if version.Subresources != nil && version.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: all.Spec.Names.Kind}
	return &objectStore{shape, customresource.NewStrategy(
		nil, crd.Spec.Scope == extv1.NamespaceScoped, kind, checks, nil, shape, status, nil, nil,
	)}, nil
}

// write answers why an object is refused.
func (s *objectStore) write(request ObjectRequest) (messages []string) {
	defer func() {
		if cause := recover(); cause != nil {
			messages = []string{fmt.Sprintf("panic: %v", cause)}
		}
	}()
	object, errs := s.decode(request.Object)
	if len(errs) > 0 {
		return errs
	}
	var found field.ErrorList
	if request.Old == nil {
		s.strategy.PrepareForCreate(context.Background(), object)
		found = s.strategy.Validate(context.Background(), object)
	} else {
		old, _ := s.decode(request.Old)
		s.strategy.PrepareForUpdate(context.Background(), object, old)
		found = s.strategy.ValidateUpdate(context.Background(), object, old)
	}
	for _, one := range found {
		messages = append(messages, one.Error())
	}
	return messages
}

// decode is what the handler's decoder does with strict field validation (apiserver/customresource_handler.go,
// unstructuredDefaulter and unstructuredSchemaCoercer): defaults, unknown fields, nulls, metadata.
func (s *objectStore) decode(text []byte) (*unstructured.Unstructured, []string) {
	object := &unstructured.Unstructured{}
	var errs []string
	strict, err := kjson.UnmarshalStrict(text, &object.Object)
	if err != nil {
		return object, []string{err.Error()}
	}
	for _, one := range strict {
		errs = append(errs, one.Error())
	}
	defaulting.Default(object.Object, s.shape)
	apiVersion, kind := object.GetAPIVersion(), object.GetKind()
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(object.Object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return object, append(errs, err.Error())
	}
	unknown = append(unknown, pruning.PruneWithOptions(object.Object, s.shape, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, s.shape)
	refused, more := objectmeta.CoerceWithOptions(nil, object.Object, s.shape, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if refused != nil {
		errs = append(errs, refused.Error())
	}
	for _, path := range append(unknown, more...) {
		errs = append(errs, fmt.Sprintf("unknown field %q", path))
	}
	object.SetKind(kind)
	object.SetAPIVersion(apiVersion)
	if found {
		if err := objectmeta.SetObjectMeta(object.Object, meta); err != nil {
			errs = append(errs, err.Error())
		}
	}
	return object, errs
}
