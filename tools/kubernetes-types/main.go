// Command kubernetes-types writes Kubernetes' own OpenAPI definitions and the kinds its API server serves to stdout.
//
// The definitions are the ones compiled into the API server (k8s.io/kubernetes/pkg/generated/openapi), with their
// references and extensions and without descriptions. Kinds and scopes come from the paths of the published document
// (api/openapi-spec/swagger.json of the same module), which is generated with every API version switched on.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

const module = "k8s.io/kubernetes"

type kind struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced"`
	Definition string `json:"definition"`
}

type dump struct {
	Kubernetes  string         `json:"kubernetes"`
	Kinds       []kind         `json:"kinds"`
	Definitions map[string]any `json:"definitions"`
}

type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// published is the part of swagger.json that tells kinds and scopes.
type published struct {
	Definitions map[string]struct {
		Kinds []groupVersionKind `json:"x-kubernetes-group-version-kind"`
	} `json:"definitions"`
	Paths map[string]map[string]json.RawMessage `json:"paths"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	version, directory, err := locate()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(directory, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return err
	}
	var document published
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	definitions, err := definitions()
	if err != nil {
		return err
	}
	kinds, err := kinds(document, definitions)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(dump{Kubernetes: version, Kinds: kinds, Definitions: definitions})
}

// locate asks the go command which version of Kubernetes this program is built with and where its files are.
func locate() (version, directory string, err error) {
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}\t{{.Dir}}", module).Output()
	if err != nil {
		return "", "", fmt.Errorf("go list -m %s: %w", module, err)
	}
	version, directory, _ = strings.Cut(strings.TrimSpace(string(output)), "\t")
	return version, directory, nil
}

func definitions() (map[string]any, error) {
	result := map[string]any{}
	for name, definition := range openapi.GetOpenAPIDefinitions(spec.MustCreateRef) {
		text, err := json.Marshal(definition.Schema)
		if err != nil {
			return nil, err
		}
		var schema map[string]any
		if err := json.Unmarshal(text, &schema); err != nil {
			return nil, err
		}
		withoutDescriptions(schema)
		result[name] = schema
	}
	return result, nil
}

// withoutDescriptions walks along keywords, so that a property called "description" stays.
func withoutDescriptions(schema map[string]any) {
	delete(schema, "description")
	for keyword, value := range schema {
		switch value := value.(type) {
		case map[string]any:
			if keyword == "properties" {
				for _, property := range value {
					if property, ok := property.(map[string]any); ok {
						withoutDescriptions(property)
					}
				}
			} else if keyword != "default" {
				withoutDescriptions(value)
			}
		case []any:
			if keyword != "enum" && keyword != "default" {
				for _, item := range value {
					if item, ok := item.(map[string]any); ok {
						withoutDescriptions(item)
					}
				}
			}
		}
	}
}

// kinds lists what can be created or listed: the resources of the paths, without subresources.
func kinds(document published, definitions map[string]any) ([]kind, error) {
	definitionOf := map[groupVersionKind]string{}
	for name, definition := range document.Definitions {
		for _, gvk := range definition.Kinds {
			if _, ok := definitions[name]; ok && len(definition.Kinds) == 1 {
				definitionOf[gvk] = name
			}
		}
	}
	found := map[groupVersionKind]kind{}
	for path, item := range document.Paths {
		namespaced, ok := resourcePath(path)
		if !ok {
			continue
		}
		for _, method := range []string{"get", "post"} {
			var operation struct {
				Kind *groupVersionKind `json:"x-kubernetes-group-version-kind"`
			}
			if item[method] == nil {
				continue
			}
			if err := json.Unmarshal(item[method], &operation); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			if operation.Kind == nil {
				continue
			}
			gvk := *operation.Kind
			definition, ok := definitionOf[gvk]
			if !ok {
				return nil, fmt.Errorf("%s: no definition of %v", path, gvk)
			}
			// A namespaced kind can be listed across namespaces too, at a path without one.
			known := found[gvk]
			found[gvk] = kind{gvk.Group, gvk.Version, gvk.Kind, known.Namespaced || namespaced, definition}
		}
	}
	result := make([]kind, 0, len(found))
	for _, one := range found {
		result = append(result, one)
	}
	sort.Slice(result, func(i, j int) bool {
		a, b := result[i], result[j]
		if a.Group != b.Group {
			return a.Group < b.Group
		}
		if a.Version != b.Version {
			return a.Version < b.Version
		}
		return a.Kind < b.Kind
	})
	return result, nil
}

// resourcePath tells whether a path is that of a resource's collection, and whether it is inside a namespace:
// /api/v1/nodes, /apis/apps/v1/namespaces/{namespace}/deployments.
func resourcePath(path string) (namespaced, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return false, false
	}
	if len(parts) == 3 && parts[0] == "namespaces" && parts[1] == "{namespace}" {
		return true, true
	}
	return false, len(parts) == 1
}
