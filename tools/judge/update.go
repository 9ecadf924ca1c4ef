package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	"github.com/kubernetes-sigs/kro/pkg/client"
	"github.com/kubernetes-sigs/kro/pkg/graph"
	crdcompat "github.com/kubernetes-sigs/kro/pkg/graph/crd/compat"
	"github.com/kubernetes-sigs/kro/pkg/metadata"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// UpdateRequest asks what kro does when an RGD without templates is replaced by another version of it.
type UpdateRequest struct {
	ID     string         `json:"id"`
	Before map[string]any `json:"before"`
	After  map[string]any `json:"after"`
}

// UpdateAnswer has what kro's comparison says, and what its client does to the CRD in the cluster.
type UpdateAnswer struct {
	ID string `json:"id"`
	// Error of a version that kro or the API server rejects by itself: nothing is compared.
	Error      string         `json:"error,omitempty"`
	Breaking   []SchemaChange `json:"breaking,omitempty"`
	Compatible []SchemaChange `json:"compatible,omitempty"`
	// Refusal of the update.
	Refusal string `json:"refusal,omitempty"`
	// Written is whether the CRD in the cluster has the schema of the newer version.
	Written bool `json:"written"`
}

// SchemaChange is a change as kro reports it.
type SchemaChange struct {
	Path string `json:"path"`
	Type string `json:"type"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// UnmarshalJSON keeps integers exact.
func (r *UpdateRequest) UnmarshalJSON(data []byte) error {
	type plain UpdateRequest
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode((*plain)(r)); err != nil {
		return err
	}
	numbers(r.Before)
	numbers(r.After)
	return nil
}

// answerUpdate answers one line of `judge update`.
func answerUpdate(line []byte) (answer any) {
	var request UpdateRequest
	defer func() {
		if cause := recover(); cause != nil {
			answer = UpdateAnswer{ID: request.ID, Error: fmt.Sprint("panic: ", cause)}
		}
	}()
	if err := json.Unmarshal(line, &request); err != nil {
		return UpdateAnswer{Error: err.Error()}
	}
	found := UpdateAnswer{ID: request.ID}
	if err := updateCRD(request, &found); err != nil {
		found.Error = err.Error()
	}
	return found
}

// noKinds is for RGDs without templates.
var noKinds = &documents{
	core:     resolver.NewDefinitionsSchemaResolver(openapi.GetOpenAPIDefinitions, scheme.Scheme),
	mapper:   meta.NewDefaultRESTMapper(nil),
	schemas:  map[string]map[string]*spec.Schema{},
	resolved: map[schema.GroupVersionKind]*spec.Schema{},
}

func updateCRD(request UpdateRequest, answer *UpdateAnswer) error {
	before, _, err := generatedCRD(request.Before)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	after, rgd, err := generatedCRD(request.After)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	existing, err := storedCRD(before)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	report, err := crdcompat.CompareVersions(existing.Spec.Versions, after.Spec.Versions)
	if err != nil {
		return err
	}
	answer.Breaking, answer.Compatible = changesOf(report.BreakingChanges), changesOf(report.NonBreakingChanges)
	return ensure(existing, after, rgd, answer)
}

// ensure lets kro's client update the CRD of a cluster in memory.
func ensure(existing, after *extv1.CustomResourceDefinition, rgd *v1alpha1.ResourceGraphDefinition, answer *UpdateAnswer) error {
	objects := fake.NewSimpleClientset(existing)
	objects.PrependReactor("patch", "customresourcedefinitions", withoutStatus(objects.Tracker()))
	cluster := objects.ApiextensionsV1()
	crds := (&client.Set{}).CRD(client.CRDWrapperConfig{
		Client: cluster, PollInterval: time.Millisecond, Timeout: time.Second,
	})
	ctx := context.Background()
	isAllowed := rgd.Annotations[v1alpha1.AllowBreakingChangesAnnotation] == "true"
	if err := crds.Ensure(ctx, *after, isAllowed); err != nil {
		answer.Refusal = err.Error()
	}
	now, err := cluster.CustomResourceDefinitions().Get(ctx, existing.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	wanted, err := storedCRD(after)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	held, err := storedCRD(now)
	if err != nil {
		return fmt.Errorf("written: %w", err)
	}
	for _, one := range []*extv1.CustomResourceDefinition{held, wanted} {
		for _, version := range one.Spec.Versions {
			spellOutListTypes(version.Schema.OpenAPIV3Schema)
		}
	}
	answer.Written = equality.Semantic.DeepEqual(held.Spec, wanted.Spec)
	return nil
}

// withoutStatus ignores the status in a patch of a CRD, as an API server does: it is a subresource. kro 0.9.3 sends one.
func withoutStatus(tracker testing.ObjectTracker) testing.ReactionFunc {
	apply := testing.ObjectReaction(tracker)
	return func(action testing.Action) (bool, runtime.Object, error) {
		patch, isPatch := action.(testing.PatchActionImpl)
		if !isPatch || patch.GetSubresource() != "" {
			return false, nil, nil
		}
		// The other fields stay as they are: numbers are exact.
		var content map[string]json.RawMessage
		if err := json.Unmarshal(patch.Patch, &content); err != nil {
			return true, nil, err
		}
		delete(content, "status")
		text, err := json.Marshal(content)
		if err != nil {
			return true, nil, err
		}
		patch.Patch = text
		return apply(patch)
	}
}

// spellOutListTypes writes the type of every list: atomic is the default.
func spellOutListTypes(props *extv1.JSONSchemaProps) {
	if props == nil {
		return
	}
	if props.Type == "array" && props.XListType == nil {
		atomic := "atomic"
		props.XListType = &atomic
	}
	for name, property := range props.Properties {
		spellOutListTypes(&property)
		props.Properties[name] = property
	}
	if props.Items != nil {
		spellOutListTypes(props.Items.Schema)
	}
	if props.AdditionalProperties != nil {
		spellOutListTypes(props.AdditionalProperties.Schema)
	}
}

// generatedCRD returns the CRD that kro generates, labelled as its controller does.
func generatedCRD(object map[string]any) (*extv1.CustomResourceDefinition, *v1alpha1.ResourceGraphDefinition, error) {
	rgd, err := decodeRGD(object)
	if err != nil {
		return nil, nil, err
	}
	kinds := newPackageKinds(noKinds)
	builder, err := graph.NewBuilder(nil, nil, graph.WithSchemaResolver(kinds), graph.WithRESTMapper(kinds))
	if err != nil {
		return nil, nil, err
	}
	built, err := builder.NewResourceGraphDefinition(rgd, limits)
	if err != nil {
		return nil, nil, err
	}
	if err := admitCRD(built.CRD); err != nil {
		return nil, nil, err
	}
	metadata.NewResourceGraphDefinitionLabeler(rgd).ApplyLabels(&built.CRD.ObjectMeta)
	if built.CRD.Labels == nil {
		built.CRD.Labels = map[string]string{}
	}
	built.CRD.Labels[metadata.OwnedLabel] = "true"
	return built.CRD, rgd, nil
}

// storedCRD returns a CRD as an API server returns it: with its defaults, and its JSON values written again.
func storedCRD(crd *extv1.CustomResourceDefinition) (*extv1.CustomResourceDefinition, error) {
	inside := &apiextensions.CustomResourceDefinition{}
	defaulted := crd.DeepCopy()
	extv1.SetDefaults_CustomResourceDefinition(defaulted)
	extv1.SetDefaults_CustomResourceDefinitionSpec(&defaulted.Spec)
	if err := extv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, inside, nil); err != nil {
		return nil, err
	}
	outside := &extv1.CustomResourceDefinition{}
	if err := extv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(inside, outside, nil); err != nil {
		return nil, err
	}
	text, err := json.Marshal(outside)
	if err != nil {
		return nil, err
	}
	read := &extv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, read); err != nil {
		return nil, err
	}
	read.Status.Conditions = []extv1.CustomResourceDefinitionCondition{{Type: extv1.Established, Status: extv1.ConditionTrue}}
	return read, nil
}

func changesOf(changes []crdcompat.Change) []SchemaChange {
	all := make([]SchemaChange, 0, len(changes))
	for _, one := range changes {
		all = append(all, SchemaChange{Path: one.Path, Type: string(one.ChangeType), Old: one.OldValue, New: one.NewValue})
	}
	return all
}
