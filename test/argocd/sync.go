package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/uuid"
	log "github.com/sirupsen/logrus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/health"
	gitops "github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
)

// wave is what Argo CD applies before it waits for health.
type wave struct {
	Phase   string   `json:"phase"`
	Number  int      `json:"number"`
	Objects []string `json:"objects"`
}

// maxSteps bounds a sync that never ends.
const maxSteps = 1000

// syncAll syncs manifests to a cluster where all that is applied is healthy at once, and tells in which waves.
func syncAll(asked request) (response, error) {
	log.SetOutput(io.Discard)
	var targets []*unstructured.Unstructured
	for _, manifest := range asked.Manifests {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(manifest), object); err != nil {
			return response{}, err
		}
		targets = append(targets, object)
	}
	api := discovery(targets)
	defer api.Close()
	config := &rest.Config{Host: api.URL}
	var waves []wave
	live := map[kube.ResourceKey]*unstructured.Unstructured{}
	phase, message, results := common.OperationRunning, "", []common.ResourceSyncResult(nil)
	started := metav1.Now()
	for step := 0; phase == common.OperationRunning; step++ {
		if step == maxSteps {
			return response{}, fmt.Errorf("no end of the sync: %s", message)
		}
		there := map[kube.ResourceKey]*unstructured.Unstructured{}
		for key, object := range live {
			there[key] = object
		}
		reconciled := gitops.Reconcile(targets, there, "default", everythingIsNamespaced{})
		recorded := &recorder{}
		engine, cleanup, err := gitops.NewSyncContext("revision", reconciled, config, config, &kubectl{recorder: recorded}, "default",
			gitops.WithInitialState(phase, message, results, started),
			gitops.WithHealthOverride(healthy{}),
			gitops.WithLogr(logr.Discard()),
			gitops.WithSyncWaveHook(func(phase common.SyncPhase, number int, _ bool) error {
				applied := wave{Phase: string(phase), Number: number}
				for _, object := range recorded.applied {
					applied.Objects = append(applied.Objects, object.GetKind()+"/"+object.GetName())
				}
				waves = append(waves, applied)
				return nil
			}))
		if err != nil {
			return response{}, err
		}
		engine.Sync(context.Background())
		cleanup()
		phase, message, results = engine.GetState()
		for _, object := range recorded.applied {
			// The cluster is done with hooks at once, so nothing holds them.
			object.SetFinalizers(nil)
			object.SetUID(types.UID(uuid.NewString()))
			live[kube.GetResourceKey(object)] = object
		}
	}
	if phase != common.OperationSucceeded {
		return response{}, fmt.Errorf("the sync ended as %s after %s: %s", phase, time.Since(started.Time), message)
	}
	return response{Waves: waves}, nil
}

type everythingIsNamespaced struct{}

func (everythingIsNamespaced) IsNamespaced(schema.GroupKind) (bool, error) { return true, nil }

type healthy struct{}

func (healthy) GetResourceHealth(*unstructured.Unstructured) (*health.HealthStatus, error) {
	return &health.HealthStatus{Status: health.HealthStatusHealthy}, nil
}
