package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	k8sjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// admissions holds the schema of each kind.
type admissions map[string]*admission

type admission struct {
	structural *structural.Structural
	schema     schemavalidation.SchemaValidator
	rules      *cel.Validator
}

func loadCRDs(dir string) (admissions, error) {
	loaded := admissions{}
	for _, name := range []string{"resourcesets", "resourcesetinputproviders"} {
		text, err := os.ReadFile(filepath.Join(dir, "fluxcd.controlplane.io_"+name+".yaml"))
		if err != nil {
			return nil, err
		}
		var crd extv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &crd); err != nil {
			return nil, err
		}
		one, err := newAdmission(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
		if err != nil {
			return nil, err
		}
		loaded[crd.Spec.Names.Kind] = one
	}
	return loaded, nil
}

func newAdmission(schema *extv1.JSONSchemaProps) (*admission, error) {
	props := &apiextensions.JSONSchemaProps{}
	if err := extv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, props, nil); err != nil {
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

// admit answers what an API server says of an object that is created. Unknown fields are dropped, as they are without
// strict validation.
func (a admissions) admit(raw []byte) error {
	var object map[string]any
	if err := k8sjson.UnmarshalCaseSensitivePreserveInts(raw, &object); err != nil {
		return err
	}
	kind, _ := object["kind"].(string)
	rules := a[kind]
	if rules == nil {
		return fmt.Errorf("no CRD of kind %q", kind)
	}
	metadata, err := json.Marshal(object["metadata"])
	if err != nil {
		return err
	}
	// It refuses labels that are no strings.
	if err := json.Unmarshal(metadata, &metav1.ObjectMeta{}); err != nil {
		return err
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, rules.structural)
	pruning.Prune(object, rules.structural, true)
	defaulting.Default(object, rules.structural)
	errs := schemavalidation.ValidateCustomResource(nil, object, rules.schema)
	if len(errs) == 0 && rules.rules != nil {
		found, _ := rules.rules.Validate(context.Background(), (*field.Path)(nil), rules.structural, object, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	return errs.ToAggregate()
}
