package main

import (
	"sort"

	sprig "github.com/go-task/slim-sprig/v3"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// surface is what a user of ResourceSets can write.
type surface struct {
	Fields    map[string][]string `json:"fields"`
	Functions []string            `json:"functions"`
	Providers []any               `json:"providers"`
}

// operatorFunctions are those that the operator adds to those of slim-sprig.
var operatorFunctions = []string{"inputs", "mustToYaml", "slugify", "toYaml"}

func surfaceOf(crds admissions) surface {
	found := surface{Fields: map[string][]string{}, Functions: append([]string{}, operatorFunctions...)}
	for kind, one := range crds {
		spec := one.structural.Properties["spec"]
		found.Fields[kind] = fieldsBelow(&spec, "spec")
		sort.Strings(found.Fields[kind])
		if kind == "ResourceSetInputProvider" {
			for _, value := range spec.Properties["type"].ValueValidation.Enum {
				found.Providers = append(found.Providers, value.Object)
			}
		}
	}
	for name := range sprig.HermeticTxtFuncMap() {
		found.Functions = append(found.Functions, name)
	}
	sort.Strings(found.Functions)
	return found
}

func fieldsBelow(schema *structural.Structural, path string) []string {
	var found []string
	for name, property := range schema.Properties {
		at := path + "." + name
		found = append(found, at)
		found = append(found, fieldsBelow(&property, at)...)
	}
	if schema.Items != nil {
		found = append(found, fieldsBelow(schema.Items, path+"[]")...)
	}
	return found
}
