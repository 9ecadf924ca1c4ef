package main

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// admission is what an API server does to objects of one version of a CRD when they are written.
type admission struct {
	structural *structural.Structural
	schema     schemavalidation.SchemaValidator
	rules      *cel.Validator
}

// admitCRD answers what the API server says of a CRD that is created.
func admitCRD(crd *extv1.CustomResourceDefinition) error {
	_, err := internal(crd)
	return err
}

func internal(crd *extv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	defaulted := crd.DeepCopy()
	extv1.SetDefaults_CustomResourceDefinition(defaulted)
	extv1.SetDefaults_CustomResourceDefinitionSpec(&defaulted.Spec)
	out := &apiextensions.CustomResourceDefinition{}
	if err := extv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, out, nil); err != nil {
		return nil, err
	}
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			out.Status.StoredVersions = []string{version.Name}
		}
	}
	if errs := validation.ValidateCustomResourceDefinition(context.Background(), out); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return out, nil
}

// newAdmission prepares the checks for objects of one version.
func newAdmission(crd *extv1.CustomResourceDefinition, version string) (*admission, error) {
	for _, one := range crd.Spec.Versions {
		if one.Name != version || one.Schema == nil || one.Schema.OpenAPIV3Schema == nil {
			continue
		}
		props := &apiextensions.JSONSchemaProps{}
		if err := extv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(one.Schema.OpenAPIV3Schema, props, nil); err != nil {
			return nil, err
		}
		shape, err := structural.NewStructural(props)
		if err != nil {
			return nil, err
		}
		checks, _, err := schemavalidation.NewSchemaValidator(props)
		if err != nil {
			return nil, err
		}
		return &admission{shape, checks, cel.NewValidator(shape, true, celconfig.PerCallLimit)}, nil
	}
	return nil, fmt.Errorf("no schema for version %q", version)
}

// admit fills defaults into an object and checks it; strictly, as kubectl asks for, unknown fields are refused. With the
// object as it was before it is an update: transition rules run, and what did not change is not held against the schema.
func (a *admission) admit(object, before map[string]any) error {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, a.structural)
	unknown := pruning.PruneWithOptions(object, a.structural, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	if len(unknown) > 0 {
		return fmt.Errorf("unknown fields: %v", unknown)
	}
	defaulting.Default(object, a.structural)
	var errs field.ErrorList
	var ratcheting []cel.Option
	var old any
	if before == nil {
		errs = schemavalidation.ValidateCustomResource(nil, object, a.schema)
	} else {
		old = before
		correlated := common.NewCorrelatedObject(object, before, &model.Structural{Structural: a.structural})
		ratcheting = append(ratcheting, cel.WithRatcheting(correlated))
		errs = schemavalidation.ValidateCustomResourceUpdate(nil, object, before, a.schema, schemavalidation.WithRatcheting(correlated))
	}
	errs = append(errs, objectmeta.Validate(nil, object, a.structural, false)...)
	if before == nil || len(listtype.ValidateListSetsAndMaps(nil, a.structural, before)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, a.structural, object)...)
	}
	if len(errs) == 0 && a.rules != nil {
		found, _ := a.rules.Validate(context.Background(), (*field.Path)(nil), a.structural, object, old, celconfig.RuntimeCELCostBudget, ratcheting...)
		errs = append(errs, found...)
	}
	return errs.ToAggregate()
}
