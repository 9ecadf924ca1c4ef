// Prints every field of kustomize's own types that a kustomization, or the configuration of a builtin plugin, can have:
// the test of the plugin for Argo CD compares them with the fields that it lets kustomize read.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"sigs.k8s.io/kustomize/api/builtins"
	"sigs.k8s.io/kustomize/api/types"
)

const module = "sigs.k8s.io/kustomize/api"

var plugins = map[string][]any{
	"AnnotationsTransformer":         {builtins.AnnotationsTransformerPlugin{}},
	"ConfigMapGenerator":             {builtins.ConfigMapGeneratorPlugin{}},
	"HashTransformer":                {builtins.HashTransformerPlugin{}},
	"HelmChartInflationGenerator":    {builtins.HelmChartInflationGeneratorPlugin{}},
	"IAMPolicyGenerator":             {builtins.IAMPolicyGeneratorPlugin{}},
	"ImageTagTransformer":            {builtins.ImageTagTransformerPlugin{}},
	"LabelTransformer":               {builtins.LabelTransformerPlugin{}},
	"NamespaceTransformer":           {builtins.NamespaceTransformerPlugin{}},
	"PatchJson6902Transformer":       {builtins.PatchJson6902TransformerPlugin{}},
	"PatchStrategicMergeTransformer": {builtins.PatchStrategicMergeTransformerPlugin{}},
	"PatchTransformer":               {builtins.PatchTransformerPlugin{}},
	"PrefixSuffixTransformer":        {builtins.PrefixTransformerPlugin{}, builtins.SuffixTransformerPlugin{}},
	"PrefixTransformer":              {builtins.PrefixTransformerPlugin{}},
	"ReplacementTransformer":         {builtins.ReplacementTransformerPlugin{}},
	"ReplicaCountTransformer":        {builtins.ReplicaCountTransformerPlugin{}},
	"SecretGenerator":                {builtins.SecretGeneratorPlugin{}},
	"SuffixTransformer":              {builtins.SuffixTransformerPlugin{}},
	"ValueAddTransformer":            {builtins.ValueAddTransformerPlugin{}},
}

type fields map[string]string

type answer struct {
	Version       string            `json:"version"`
	Kustomization fields            `json:"kustomization"`
	Plugins       map[string]fields `json:"plugins"`
}

func main() {
	log.SetFlags(0)
	version, folder := source()
	found := answer{Version: version, Kustomization: fieldsOf(types.Kustomization{}), Plugins: map[string]fields{}}
	for _, name := range registered(folder) {
		values, known := plugins[name]
		if !known {
			log.Fatalf("kustomize has a builtin plugin that is not listed here: %s", name)
		}
		found.Plugins[name] = fieldsOf(values...)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(found); err != nil {
		log.Fatal(err)
	}
}

func source() (version, folder string) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", module).Output()
	if err != nil {
		log.Fatal(err)
	}
	version, folder, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
	return version, folder
}

// The registry of builtin plugins is internal to kustomize.
func registered(folder string) []string {
	text, err := os.ReadFile(filepath.Join(folder, "internal/plugins/builtinhelpers/builtins.go"))
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^\t(\w+): +(?:builtins\.)?New\w+,$`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, match[1])
	}
	return names
}

func fieldsOf(values ...any) fields {
	found := fields{}
	for _, value := range values {
		collect(reflect.TypeOf(value), "", found)
	}
	return found
}

func collect(of reflect.Type, path string, found fields) {
	switch of.Kind() {
	case reflect.Pointer:
		collect(of.Elem(), path, found)
	case reflect.Slice:
		collect(of.Elem(), path+"[]", found)
	case reflect.Struct:
		for index := range of.NumField() {
			field := of.Field(index)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case name == "-":
			case field.Anonymous && name == "":
				collect(field.Type, path, found)
			case !field.IsExported():
			default:
				if name == "" {
					name = field.Name
				}
				collect(field.Type, strings.TrimPrefix(path+"."+name, "."), found)
			}
		}
	default:
		found[path] = of.Kind().String()
	}
}
