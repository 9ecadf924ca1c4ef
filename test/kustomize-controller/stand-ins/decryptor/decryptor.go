// Package decryptor stands for SOPS, which no history has.
package decryptor

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/fluxcd/pkg/cache"
	"github.com/fluxcd/pkg/spiffe/broker"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

type Option struct{}

type Decryptor struct{}

func New(client.Client, *kustomizev1.Kustomization, ...Option) (*Decryptor, func(), error) {
	return &Decryptor{}, func() {}, nil
}

func WithRoot(string) Option                   { return Option{} }
func WithTokenCache(cache.TokenCache) Option   { return Option{} }
func WithSPIFFEBroker(broker.Interface) Option { return Option{} }
func WithDefaultServiceAccount(string) Option  { return Option{} }
func WithSOPSAgeSecret(_, _ string) Option     { return Option{} }
func WithVaultConfigMap(_, _ string) Option    { return Option{} }

func (*Decryptor) ImportKeys(context.Context) error     { return nil }
func (*Decryptor) SetAuthOptions(context.Context) error { return nil }
func (*Decryptor) DecryptSources(string) error          { return nil }
func (*Decryptor) DecryptResource(*resource.Resource) (*resource.Resource, error) {
	return nil, nil
}

func IsDecryptionDisabled(map[string]string) bool       { return true }
func IsEncryptedSecret(*unstructured.Unstructured) bool { return false }
