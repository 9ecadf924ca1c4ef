// Command flux-controllers builds Kustomizations with the packages of kustomize-controller, without a cluster. Each line
// of standard input is a Kustomization and the root of its source; each line of standard output is what it builds.
//
// Variables are substituted from spec.postBuild.substitute only: there is no cluster to read ConfigMaps and Secrets from.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// request is one line of standard input. The folder is changed: it has to be a copy.
type request struct {
	Root          string         `json:"root"`
	Kustomization map[string]any `json:"kustomization"`
}

// response is one line of standard output: an error, or the objects.
type response struct {
	Error   string           `json:"error,omitempty"`
	Objects []map[string]any `json:"objects,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "flux-controllers:", err)
		os.Exit(1)
	}
}

func serve(input io.Reader, output io.Writer) error {
	decoder, encoder := json.NewDecoder(input), json.NewEncoder(output)
	for {
		var asked request
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		answered := response{}
		if objects, err := build(asked); err != nil {
			answered.Error = err.Error()
		} else {
			answered.Objects = objects
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
}

// build does what the reconciler does between the artifact and the apply.
func build(asked request) ([]map[string]any, error) {
	object := unstructured.Unstructured{Object: asked.Kustomization}
	path, _, err := unstructured.NestedString(object.Object, "spec", "path")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(asked.Root, filepath.Join("/", path))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("kustomization path not found: %s", path)
	}
	generator := kustomize.NewGenerator(asked.Root, object)
	if _, err := generator.WriteFile(folder); err != nil {
		return nil, err
	}
	resources, err := kustomize.SecureBuild(asked.Root, folder, false)
	if err != nil {
		return nil, err
	}
	objects := []map[string]any{}
	for _, resource := range resources.Resources() {
		if _, found, _ := unstructured.NestedMap(object.Object, "spec", "postBuild"); found {
			substituted, err := kustomize.SubstituteVariables(context.Background(), nil, object, resource, kustomize.SubstituteWithDryRun(true))
			if err != nil {
				return nil, err
			}
			if substituted != nil {
				resource = substituted
			}
		}
		text, err := resource.MarshalJSON()
		if err != nil {
			return nil, err
		}
		var one map[string]any
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, err
		}
		objects = append(objects, one)
	}
	return objects, nil
}
