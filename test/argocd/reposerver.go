package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/cache"
	"github.com/argoproj/argo-cd/v3/reposerver/metrics"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/argo"
	cacheutil "github.com/argoproj/argo-cd/v3/util/cache"
	"github.com/argoproj/argo-cd/v3/util/git"
)

// repoServer is Argo CD's repo-server without its network: it checks out, asks the plugin over its socket, parses.
type repoServer struct {
	service *repository.Service
}

func newRepoServer() (*repoServer, error) {
	// 0 means no limit, as in Argo CD.
	limit, _ := strconv.ParseInt(os.Getenv("ARGOCD_REPO_SERVER_PARALLELISM_LIMIT"), 10, 64)
	constants := repository.RepoServerInitConstants{
		ParallelismLimit:                  limit,
		MaxCombinedDirectoryManifestsSize: resource.MustParse("10M"),
		EnableBuiltinGitConfig:            true,
		CMPUseManifestGeneratePaths:       os.Getenv("ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS") == "true",
	}
	inMemory := cacheutil.NewCache(cacheutil.NewInMemoryCache(time.Hour))
	repositories := cache.NewCache(inMemory, time.Hour, time.Hour, 10*time.Second)
	root := filepath.Join(os.TempDir(), "_argocd-repo")
	service := repository.NewService(metrics.NewMetricsServer(), repositories, constants, git.NoopCredsStore{}, root)
	return &repoServer{service}, service.Init()
}

// The destination cluster, as the application controller describes it.
const kubeVersion = "1.33.1"

var apiVersions = []string{"v1", "apps/v1", "apps/v1/Deployment", "networking.k8s.io/v1", "networking.k8s.io/v1/Ingress"}

// generate renders all sources of an Application, one after the other.
func (server *repoServer) generate(ctx context.Context, asked request) (response, error) {
	spec := asked.Application.Spec
	refs := v1alpha1.RefTargetRevisionMapping{}
	for _, source := range spec.GetSources() {
		if source.Ref != "" {
			refs["$"+source.Ref] = &v1alpha1.RefTarget{Repo: v1alpha1.Repository{Repo: source.RepoURL}, TargetRevision: source.TargetRevision}
		}
	}
	var all response
	for _, source := range spec.GetSources() {
		// As the application controller does.
		argo.NormalizeSource(&source)
		answered, err := server.service.GenerateManifest(ctx, &apiclient.ManifestRequest{
			Repo:                            &v1alpha1.Repository{Repo: source.RepoURL},
			Revision:                        source.TargetRevision,
			NoCache:                         asked.HardRefresh,
			AppName:                         asked.Application.Name,
			Namespace:                       spec.Destination.Namespace,
			ApplicationSource:               &source,
			KubeVersion:                     kubeVersion,
			ApiVersions:                     apiVersions,
			TrackingMethod:                  string(v1alpha1.TrackingMethodAnnotation),
			ProjectName:                     spec.Project,
			HasMultipleSources:              spec.HasMultipleSources(),
			RefSources:                      refs,
			AnnotationManifestGeneratePaths: asked.Application.GetAnnotation(v1alpha1.AnnotationKeyManifestGeneratePaths),
		})
		if err != nil {
			return response{}, err
		}
		all.SourceType = answered.SourceType
		all.Manifests = append(all.Manifests, answered.Manifests...)
	}
	return all, nil
}

func (server *repoServer) parameters(ctx context.Context, asked request) (response, error) {
	source := asked.Application.Spec.GetSource()
	details, err := server.service.GetAppDetails(ctx, &apiclient.RepoServerAppDetailsQuery{
		Repo:    &v1alpha1.Repository{Repo: source.RepoURL},
		Source:  &source,
		AppName: asked.Application.Name,
		NoCache: true,
	})
	if err != nil {
		return response{}, err
	}
	var announced []*apiclient.ParameterAnnouncement
	if details.Plugin != nil {
		announced = details.Plugin.ParametersAnnouncement
	}
	parameters, err := json.Marshal(announced)
	return response{SourceType: details.Type, Parameters: parameters}, err
}

// split reads a text as cmp-server and repo-server do, one after the other.
func split(asked request) (response, error) {
	texts, err := kube.SplitYAMLToString([]byte(asked.Text))
	if err != nil {
		return response{}, err
	}
	manifests := make([]string, 0, len(texts))
	for _, text := range texts {
		objects, err := kube.SplitYAML([]byte(text))
		if err != nil {
			return response{}, err
		}
		for _, object := range objects {
			manifest, err := json.Marshal(object.Object)
			if err != nil {
				return response{}, err
			}
			manifests = append(manifests, string(manifest))
		}
	}
	return response{Manifests: manifests}, nil
}
