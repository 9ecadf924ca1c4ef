package main

import (
	"bytes"
	"encoding/json"
)

// Request is a package to judge.
type Request struct {
	ID string `json:"id"`
	// Objects of the package in order: RGDs, CRDs, instances and whatever else stands in the cluster.
	Objects []map[string]any `json:"objects"`
	// Observed objects: what the cluster adds to rendered ones (status), and objects to find by reference.
	Observed []map[string]any `json:"observed,omitempty"`
	// Input and ObservedInput are the same as YAML or JSON documents, read as kubectl reads them.
	Input         string `json:"input,omitempty"`
	ObservedInput string `json:"observedInput,omitempty"`
	// Namespace of namespaced objects without one; "default" when empty.
	Namespace string `json:"namespace,omitempty"`
}

// Answer is what kro and the API server say of a package.
type Answer struct {
	ID string `json:"id"`
	// Stage that refused the package: parse, compile, crd (the API server refuses the generated CRD), instance, expand,
	// pending; empty when all was applied. panic and request are failures of the judge.
	Stage string `json:"stage,omitempty"`
	Error string `json:"error,omitempty"`
	// Subject is the name of the RGD or Kind/name of the instance that Error is about.
	Subject string `json:"subject,omitempty"`
	// Objects that kro applied, without labels and annotations of kro's own, in the order of application.
	Objects []map[string]any `json:"objects,omitempty"`
	// CRDs that kro generated, in the order of the RGDs.
	CRDs []map[string]any `json:"crds,omitempty"`
}

// UnmarshalJSON keeps integers exact: whole numbers become int64, as in Kubernetes.
func (r *Request) UnmarshalJSON(data []byte) error {
	type plain Request
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode((*plain)(r)); err != nil {
		return err
	}
	for _, list := range [][]map[string]any{r.Objects, r.Observed} {
		for _, object := range list {
			numbers(object)
		}
	}
	return nil
}

func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			value[key] = numbers(member)
		}
	case []any:
		for i, item := range value {
			value[i] = numbers(item)
		}
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		float, _ := value.Float64()
		return float
	}
	return value
}
