// Package auth stands for the credentials of cloud providers, which no history has.
package auth

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/fluxcd/pkg/cache"
	"github.com/fluxcd/pkg/spiffe/broker"
)

type Option struct{}

func WithObject(string, string, client.Object) Option { return Option{} }
func WithSPIFFEBroker(broker.Interface) Option        { return Option{} }
func WithCache(cache.TokenCache) Option               { return Option{} }
func WithCacheOperation(string) Option                { return Option{} }
