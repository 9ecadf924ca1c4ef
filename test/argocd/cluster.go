package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube/kubetest"
)

// recorder stands for a cluster that takes everything, and remembers what is applied, in that order.
type recorder struct {
	kubetest.MockResourceOps
	lock    sync.Mutex
	applied []*unstructured.Unstructured
}

// kubectl hands the engine a recorder.
type kubectl struct {
	kubetest.MockKubectlCmd
	recorder *recorder
}

func (k *kubectl) ManageResources(*rest.Config) (kube.ResourceOperations, func(), error) {
	return k.recorder, func() {}, nil
}

func (c *recorder) ApplyResource(_ context.Context, object *unstructured.Unstructured, dryRun cmdutil.DryRunStrategy, _, _, _ bool, _ string) (string, error) {
	if dryRun == cmdutil.DryRunNone {
		c.lock.Lock()
		defer c.lock.Unlock()
		c.applied = append(c.applied, object)
	}
	return "", nil
}

// discovery answers what the engine asks an API server: which kinds there are, and whether a CRD is established.
func discovery(objects []*unstructured.Unstructured) *httptest.Server {
	kinds := map[string]*metav1.APIResourceList{}
	for _, object := range objects {
		version := object.GroupVersionKind().GroupVersion().String()
		list, ok := kinds[version]
		if !ok {
			list = &metav1.APIResourceList{GroupVersion: version}
			kinds[version] = list
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: strings.ToLower(object.GetKind()) + "s", Kind: object.GetKind(), Namespaced: true,
			Verbs: metav1.Verbs{"get", "create", "patch", "delete"},
		})
	}
	return httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, asked *http.Request) {
		out.Header().Set("Content-Type", "application/json")
		path := strings.TrimPrefix(strings.TrimPrefix(asked.URL.Path, "/apis/"), "/api/")
		if strings.Contains(path, "/customresourcedefinitions/") {
			_, _ = out.Write([]byte(`{"status": {"conditions": [{"type": "Established", "status": "True"}]}}`))
			return
		}
		list, ok := kinds[path]
		if !ok {
			http.NotFound(out, asked)
			return
		}
		_ = json.NewEncoder(out).Encode(list)
	}))
}
