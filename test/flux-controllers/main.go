// Command flux-controllers builds Kustomizations and merges the values of HelmReleases with the packages of
// kustomize-controller and helm-controller, without a cluster. Each line of standard input is a Kustomization and the
// root of its source, or a HelmRelease; each line of standard output is what it builds.
//
// The cluster has the ConfigMaps of the line, and no Secrets.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/chartutil"
	"github.com/fluxcd/pkg/kustomize"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// request is one line of standard input. The folder is changed: it has to be a copy.
type request struct {
	Root          string         `json:"root"`
	Kustomization map[string]any `json:"kustomization"`
	// Maps are the ConfigMaps of the cluster.
	Maps []corev1.ConfigMap `json:"maps"`
	// Release is a HelmRelease, with the texts of its valuesFiles.
	Release *release `json:"release"`
	Texts   []string `json:"texts"`
}

type release struct {
	Metadata struct {
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		Values     map[string]any         `json:"values"`
		ValuesFrom []meta.ValuesReference `json:"valuesFrom"`
	} `json:"spec"`
}

// response is one line of standard output: an error, or the objects.
type response struct {
	Error   string           `json:"error,omitempty"`
	Objects []map[string]any `json:"objects,omitempty"`
	// Values are those of a HelmRelease; Defaults replace the values.yaml of its chart.
	Values   map[string]any `json:"values,omitempty"`
	Defaults map[string]any `json:"defaults,omitempty"`
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
		if asked.Release != nil {
			answered.merge(asked)
		} else if objects, err := build(asked); err != nil {
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
			substituted, err := kustomize.SubstituteVariables(context.Background(), cluster{maps: asked.Maps}, object, resource)
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

// merge does what source-controller and helm-controller do with values.
func (answered *response) merge(asked request) {
	for _, text := range asked.Texts {
		var values map[string]any
		if err := yaml.Unmarshal([]byte(text), &values); err != nil {
			answered.Error = err.Error()
			return
		}
		answered.Defaults = chartutil.MergeMaps(answered.Defaults, values)
	}
	own := asked.Release
	values, err := chartutil.ChartValuesFromReferences(context.Background(), logr.Discard(), cluster{maps: asked.Maps},
		own.Metadata.Namespace, own.Spec.Values, own.Spec.ValuesFrom...)
	if err != nil {
		answered.Error = err.Error()
	}
	answered.Values = values
}

// cluster is a client of a cluster that has only ConfigMaps.
type cluster struct {
	client.Client
	maps []corev1.ConfigMap
}

func (cluster cluster) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	for _, one := range cluster.maps {
		if wanted, ok := object.(*corev1.ConfigMap); ok && one.Name == key.Name && one.Namespace == key.Namespace {
			one.DeepCopyInto(wanted)
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}
