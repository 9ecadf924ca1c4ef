// The judge of ResourceSets: flux-operator's own packages and the API server's code for its CRDs, imported. Its module
// path is below that of flux-operator, so that Go lets it import internal packages.
//
// It reads requests from standard input, one JSON object a line, and answers each with one line:
//
//	{"set": OBJECT, "providers": [OBJECT...]}   {"objects": [OBJECT...]} or {"stage": "crd" | "build", "error": MESSAGE}
//
// A provider of another type than Static gives its status.exportedInputs, as its controller wrote them. The argument is
// the folder of flux-operator's sources, which holds the CRDs. A second argument "surface" prints what a generator of
// ResourceSets has to draw: the fields of both CRDs, the types of providers and the functions of templates.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	ssautil "github.com/fluxcd/pkg/ssa/utils"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	k8sjson "k8s.io/apimachinery/pkg/util/json"

	fluxcdv1 "github.com/controlplaneio-fluxcd/flux-operator/api/v1"
	"github.com/controlplaneio-fluxcd/flux-operator/internal/builder"
	"github.com/controlplaneio-fluxcd/flux-operator/internal/inputs"
)

type request struct {
	Set       json.RawMessage   `json:"set"`
	Providers []json.RawMessage `json:"providers"`
}

type response struct {
	Objects []map[string]any `json:"objects,omitempty"`
	Stage   string           `json:"stage,omitempty"`
	Error   string           `json:"error,omitempty"`
}

// maxLine bounds a request, in bytes.
const maxLine = 64 << 20

func main() {
	crds, err := loadCRDs(filepath.Join(os.Args[1], "config", "crd", "bases"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "resourceset-judge:", err)
		os.Exit(2)
	}
	if len(os.Args) > 2 && os.Args[2] == "surface" {
		text, err := json.MarshalIndent(surfaceOf(crds), "", "  ")
		if err != nil {
			fmt.Fprintln(os.Stderr, "resourceset-judge:", err)
			os.Exit(2)
		}
		fmt.Println(string(text))
		return
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 0, 1<<20), maxLine)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		answer, err := json.Marshal(judge(crds, in.Bytes()))
		if err != nil {
			answer, _ = json.Marshal(response{Stage: "answer", Error: err.Error()})
		}
		out.Write(append(answer, '\n'))
		out.Flush()
	}
}

func judge(crds admissions, line []byte) (answer response) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = response{Stage: "panic", Error: fmt.Sprintf("%v\n%s", fault, debug.Stack())}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return response{Stage: "request", Error: err.Error()}
	}
	for _, one := range append([]json.RawMessage{asked.Set}, asked.Providers...) {
		if err := crds.admit(one); err != nil {
			return response{Stage: "crd", Error: err.Error()}
		}
	}
	objects, err := build(asked)
	if err != nil {
		return response{Stage: "build", Error: err.Error()}
	}
	return response{Objects: objects}
}

// build does what the controller does with a ResourceSet before it applies anything.
func build(asked request) ([]map[string]any, error) {
	var set fluxcdv1.ResourceSet
	if err := json.Unmarshal(asked.Set, &set); err != nil {
		return nil, err
	}
	set.SetGroupVersionKind(fluxcdv1.GroupVersion.WithKind(fluxcdv1.ResourceSetKind))
	providers, err := providersOf(asked.Providers)
	if err != nil {
		return nil, err
	}
	selected, err := selectProviders(&set, providers)
	if err != nil {
		return nil, err
	}
	combined, err := inputs.Combine(&set, selected)
	if err != nil {
		return nil, err
	}
	// As the controller does: without any input set nothing is built, and what was applied is deleted.
	if len(set.Spec.InputsFrom) > 0 && len(combined) == 0 {
		return []map[string]any{}, nil
	}
	steps, err := builder.BuildResourceSetFromSpec(set.Spec, combined)
	if err != nil {
		return nil, err
	}
	objects := builder.FlattenSteps(steps)
	if set.Spec.CommonMetadata != nil {
		ssautil.SetCommonMetadata(objects, set.Spec.CommonMetadata.Labels, set.Spec.CommonMetadata.Annotations)
	}
	ssautil.SetCommonMetadata(objects, map[string]string{
		fluxcdv1.OwnerLabelResourceSetName:      set.GetName(),
		fluxcdv1.OwnerLabelResourceSetNamespace: set.GetNamespace(),
	}, nil)
	answer := make([]map[string]any, 0, len(objects))
	for _, object := range objects {
		answer = append(answer, object.Object)
	}
	return answer, nil
}

func providersOf(raw []json.RawMessage) ([]*fluxcdv1.ResourceSetInputProvider, error) {
	var providers []*fluxcdv1.ResourceSetInputProvider
	for _, one := range raw {
		var provider fluxcdv1.ResourceSetInputProvider
		if err := k8sjson.Unmarshal(one, &provider); err != nil {
			return nil, err
		}
		provider.SetGroupVersionKind(fluxcdv1.GroupVersion.WithKind(fluxcdv1.ResourceSetInputProviderKind))
		if provider.Spec.Type != fluxcdv1.InputProviderStatic {
			providers = append(providers, &provider)
			continue
		}
		exported := provider.Spec.DefaultValues
		if exported == nil {
			exported = fluxcdv1.ResourceSetInput{}
		}
		// A cluster makes it of the uid, `flux-operator build rset` of the name.
		id, err := inputs.JSON(inputs.ID(provider.GetName()))
		if err != nil {
			return nil, err
		}
		exported["id"] = id
		provider.Status.ExportedInputs = []fluxcdv1.ResourceSetInput{exported}
		providers = append(providers, &provider)
	}
	return providers, nil
}

func selectProviders(set *fluxcdv1.ResourceSet, all []*fluxcdv1.ResourceSetInputProvider) (map[inputs.ProviderKey]fluxcdv1.InputProvider, error) {
	selected := map[inputs.ProviderKey]fluxcdv1.InputProvider{}
	for _, from := range set.Spec.InputsFrom {
		if from.Name == "" && from.Selector == nil {
			return nil, errors.New("neither name nor selector")
		}
		found := false
		for _, provider := range all {
			matches := provider.GetName() == from.Name
			if from.Name == "" {
				selector, err := metav1.LabelSelectorAsSelector(from.Selector)
				if err != nil {
					return nil, err
				}
				matches = selector.Matches(labels.Set(provider.GetLabels()))
			}
			if matches && provider.GetNamespace() == set.GetNamespace() {
				found = true
				selected[inputs.NewProviderKey(provider)] = provider
			}
		}
		if from.Name != "" && !found {
			return nil, fmt.Errorf("failed to get provider %s", from.Name)
		}
	}
	return selected, nil
}
