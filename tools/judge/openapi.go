package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const (
	schemaPrefix = "#/components/schemas/"
	kindsOfAPI   = "x-kubernetes-group-version-kind"
)

// documents are the kinds that an API server publishes.
type documents struct {
	// core resolves the kinds that kro knows at compile time; it goes first, as in kro.
	core   resolver.SchemaResolver
	mapper *meta.DefaultRESTMapper
	// schemas by path of the group version ("apis/apps/v1").
	schemas map[string]map[string]*spec.Schema

	mutex    sync.Mutex
	resolved map[schema.GroupVersionKind]*spec.Schema
}

// dump writes the discovery and OpenAPI v3 documents of the API server of a kubeconfig into a folder.
func dump(kubeconfig, dir string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, "resources.json"), lists); err != nil {
		return err
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	for path, group := range paths {
		if !strings.HasPrefix(path, "api/") && strings.Count(path, "/") != 2 {
			continue
		}
		text, err := group.Schema("application/json")
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(path, "/", "+") + ".json"
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// loadDocuments reads what dump wrote.
func loadDocuments(dir string) (*documents, error) {
	docs := &documents{
		core:     resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, scheme.Scheme),
		mapper:   meta.NewDefaultRESTMapper(nil),
		schemas:  map[string]map[string]*spec.Schema{},
		resolved: map[schema.GroupVersionKind]*spec.Schema{},
	}
	text, err := os.ReadFile(filepath.Join(dir, "resources.json"))
	if err != nil {
		return nil, err
	}
	var lists []*metav1.APIResourceList
	if err := json.Unmarshal(text, &lists); err != nil {
		return nil, err
	}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, resource := range list.APIResources {
			if strings.Contains(resource.Name, "/") {
				continue
			}
			addKind(docs.mapper, version.WithKind(resource.Kind), resource.Name, resource.Namespaced)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "api*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no OpenAPI document in %q: %w", dir, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		schemas, err := schemasOf(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		path := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".json"), "+", "/")
		docs.schemas[path] = schemas
	}
	return docs, nil
}

func addKind(mapper *meta.DefaultRESTMapper, kind schema.GroupVersionKind, plural string, namespaced bool) {
	scope := meta.RESTScope(meta.RESTScopeRoot)
	if namespaced {
		scope = meta.RESTScopeNamespace
	}
	version := kind.GroupVersion()
	mapper.AddSpecific(kind, version.WithResource(plural), version.WithResource(strings.ToLower(kind.Kind)), scope)
}

func schemasOf(text []byte) (map[string]*spec.Schema, error) {
	var document struct {
		Components struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	err := json.Unmarshal(text, &document)
	return document.Components.Schemas, err
}

// ResolveSchema finds the schema of a kind of Kubernetes.
func (d *documents) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if known, ok := d.resolved[kind]; ok {
		return known, nil
	}
	found, err := d.core.ResolveSchema(kind)
	if errors.Is(err, resolver.ErrSchemaNotFound) {
		path := "apis/" + kind.GroupVersion().String()
		if kind.Group == "" {
			path = "api/" + kind.Version
		}
		found, err = resolveIn(d.schemas[path], kind)
	}
	if err == nil {
		d.resolved[kind] = found
	}
	return found, err
}

func resolveIn(schemas map[string]*spec.Schema, kind schema.GroupVersionKind) (*spec.Schema, error) {
	for name, one := range schemas {
		var kinds []schema.GroupVersionKind
		if err := one.Extensions.GetObject(kindsOfAPI, &kinds); err != nil {
			return nil, err
		}
		for _, each := range kinds {
			if each == kind {
				return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
					found, ok := schemas[strings.TrimPrefix(ref, schemaPrefix)]
					return found, ok
				}, name)
			}
		}
	}
	return nil, fmt.Errorf("cannot resolve group version kind %q: %w", kind, resolver.ErrSchemaNotFound)
}

// packageKinds are the kinds of Kubernetes and those of a package.
type packageKinds struct {
	base    *documents
	schemas map[schema.GroupVersionKind]*spec.Schema
	own     *meta.DefaultRESTMapper
	meta.RESTMapper
}

func newPackageKinds(base *documents) *packageKinds {
	own := meta.NewDefaultRESTMapper(nil)
	return &packageKinds{
		base:       base,
		schemas:    map[schema.GroupVersionKind]*spec.Schema{},
		own:        own,
		RESTMapper: meta.MultiRESTMapper{own, base.mapper},
	}
}

// add makes the published versions of a CRD known.
func (k *packageKinds) add(crd *extv1.CustomResourceDefinition, published map[string]*spec.Schema) {
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
		k.schemas[kind] = published[version.Name]
		addKind(k.own, kind, crd.Spec.Names.Plural, crd.Spec.Scope == extv1.NamespaceScoped)
	}
}

// publish answers the schemas of the served versions of a CRD, as an API server publishes them.
func publish(crd *extv1.CustomResourceDefinition) (map[string]*spec.Schema, error) {
	published := map[string]*spec.Schema{}
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
		document, err := builder.BuildOpenAPIV3(crd, version.Name, builder.Options{V2: false, IncludeSelectableFields: true})
		if err != nil {
			return nil, err
		}
		// As it is read: written and parsed again. Who reads it looks at the schemas alone.
		text, err := json.Marshal(&spec3.OpenAPI{Components: document.Components})
		if err != nil {
			return nil, err
		}
		schemas, err := schemasOf(text)
		if err != nil {
			return nil, err
		}
		if published[version.Name], err = resolveIn(schemas, kind); err != nil {
			return nil, err
		}
	}
	return published, nil
}

// ResolveSchema finds the schema of a kind; kinds of Kubernetes go first.
func (k *packageKinds) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	found, err := k.base.ResolveSchema(kind)
	if !errors.Is(err, resolver.ErrSchemaNotFound) {
		return found, err
	}
	if own, ok := k.schemas[kind]; ok {
		return own, nil
	}
	return nil, err
}
