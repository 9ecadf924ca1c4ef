package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	log "github.com/sirupsen/logrus"
	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clientcache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	clustercache "github.com/argoproj/argo-cd/gitops-engine/v3/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/utils/kube"
	"github.com/argoproj/argo-cd/v3/applicationset/controllers"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	appsetmetrics "github.com/argoproj/argo-cd/v3/applicationset/metrics"
	appsetutils "github.com/argoproj/argo-cd/v3/applicationset/utils"
	commitclient "github.com/argoproj/argo-cd/v3/commitserver/apiclient"
	"github.com/argoproj/argo-cd/v3/controller"
	statecache "github.com/argoproj/argo-cd/v3/controller/cache"
	"github.com/argoproj/argo-cd/v3/controller/sharding"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	appclientset "github.com/argoproj/argo-cd/v3/pkg/client/clientset/versioned"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	cacheutil "github.com/argoproj/argo-cd/v3/util/cache"
	appstatecache "github.com/argoproj/argo-cd/v3/util/cache/appstate"
	"github.com/argoproj/argo-cd/v3/util/db"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	kubeutil "github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/settings"
)

// version is what one commit has: the objects that people apply, and those in each folder, as the repo-server answers.
type version struct {
	People  []*unstructured.Unstructured `json:"people"`
	Folders map[string][]json.RawMessage `json:"folders"`
}

// history is one line of standard input: what happens to the watched objects, in each order of the actors.
type history struct {
	Before version `json:"before"`
	After  version `json:"after"`
	// Orders are of `Application NAME`, `ApplicationSet NAME`, and of `apply` and `delete`, which people do once.
	Orders [][]string `json:"orders"`
	// Namespace is where the objects are, which nothing else uses.
	Namespace string `json:"namespace"`
}

// fate is what happened to an object in one order.
type fate struct {
	// Deleted is whether a controller deleted it at any time, even if it was created again.
	Deleted bool `json:"deleted"`
	// DeletedLater is whether it is deleted when people confirm deletions and sync, with prune, what does not sync itself.
	DeletedLater bool `json:"deletedLater"`
	// Present is whether it is there at the end.
	Present bool `json:"present"`
}

type ended struct {
	Fates []map[string]*fate `json:"fates,omitempty"`
	Error string             `json:"error,omitempty"`
}

const argocdNamespace = "argocd"

// watchedKinds are those of the histories, which are the only ones of this cluster for Argo CD.
var watchedKinds = []schema.GroupVersionKind{
	{Version: "v1", Kind: "ConfigMap"},
	{Version: "v1", Kind: "Secret"},
	{Version: "v1", Kind: "PersistentVolumeClaim"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
	{Group: "argoproj.io", Version: "v1alpha1", Kind: "Application"},
	{Group: "argoproj.io", Version: "v1alpha1", Kind: "ApplicationSet"},
}

const inclusions = `
- apiGroups: [""]
  kinds: [ConfigMap, Secret, PersistentVolumeClaim]
  clusters: ["*"]
- apiGroups: [apiextensions.k8s.io]
  kinds: [CustomResourceDefinition]
  clusters: ["*"]
- apiGroups: [argoproj.io]
  kinds: [Application, ApplicationSet]
  clusters: ["*"]
`

// decideFates runs the histories of the input with the controllers of Argo CD against the API server of a kubeconfig.
func decideFates(kubeconfig string, input io.Reader, output io.Writer) error {
	level := log.PanicLevel
	if os.Getenv("HARNESS_VERBOSE") != "" {
		level = log.InfoLevel
	}
	log.SetLevel(level)
	if os.Getenv("HARNESS_VERBOSE") == "" {
		log.SetOutput(io.Discard)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	world, err := newWorld(ctx, kubeconfig)
	if err != nil {
		return err
	}
	decoder, encoder := json.NewDecoder(input), json.NewEncoder(output)
	for {
		var asked history
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		answered := ended{}
		for _, order := range asked.Orders {
			fates, err := world.run(ctx, asked, order)
			if err != nil {
				answered.Error = fmt.Sprintf("%s: %v", strings.Join(order, ", "), err)
				break
			}
			answered.Fates = append(answered.Fates, fates)
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
}

// world is a cluster with the controllers of Argo CD, which act only when they are told to.
type world struct {
	client       client.Client
	applications appclientset.Interface
	controller   *controller.ApplicationController
	informer     clientcache.SharedIndexInformer
	live         statecache.LiveStateCache
	sets         *controllers.ApplicationSetReconciler
	cached       client.Client
	repository   *folders
	// known are the objects of the histories, as listed since the last write; nil if something was written.
	known []unstructured.Unstructured
}

// wrote says that something may have been written: nothing writes unless it is asked to.
func (w *world) wrote() {
	w.known = nil
}

func newWorld(ctx context.Context, kubeconfig string) (*world, error) {
	// What Argo CD itself has for tests: the cluster in which it runs is that of KUBECONFIG.
	for name, value := range map[string]string{
		v1alpha1.EnvVarFakeInClusterConfig:              "true",
		"KUBECONFIG":                                    kubeconfig,
		statecache.EnvClusterCacheBatchEventsProcessing: "false",
		"ARGOCD_SYNC_WAVE_DELAY":                        "0",
	} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	// Nothing waits for a rate limit, and memory is cheaper than its collection.
	v1alpha1.K8sClientConfigQPS, v1alpha1.K8sClientConfigBurst = 10_000, 20_000
	debug.SetGCPercent(400)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = v1alpha1.K8sClientConfigQPS, v1alpha1.K8sClientConfigBurst
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, direct); err != nil {
		return nil, err
	}
	made := &world{client: direct, repository: &folders{}}
	if err := made.startApplications(ctx, config); err != nil {
		return nil, err
	}
	return made, made.startSets(ctx, config, scheme)
}

// prepare creates what an installation of Argo CD has.
func prepare(ctx context.Context, into client.Client) error {
	labels := map[string]string{"app.kubernetes.io/part-of": "argocd"}
	return errors.Join(
		ensure(ctx, into, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: argocdNamespace}}),
		ensure(ctx, into, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: "argocd-cm", Namespace: argocdNamespace, Labels: labels},
			Data:       map[string]string{"resource.inclusions": inclusions},
		}),
		ensure(ctx, into, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: "argocd-secret", Namespace: argocdNamespace, Labels: labels},
			Data:       map[string][]byte{"admin.password": []byte("x"), "server.secretkey": []byte("x")},
		}),
		ensure(ctx, into, &v1alpha1.AppProject{
			ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: argocdNamespace},
			Spec: v1alpha1.AppProjectSpec{
				SourceRepos:              []string{"*"},
				Destinations:             []v1alpha1.ApplicationDestination{{Server: "*", Namespace: "*"}},
				ClusterResourceWhitelist: []v1alpha1.ClusterResourceRestrictionItem{{Group: "*", Kind: "*"}},
			},
		}),
	)
}

func ensure(ctx context.Context, into client.Client, object client.Object) error {
	return client.IgnoreAlreadyExists(into.Create(ctx, object))
}

func (w *world) startApplications(ctx context.Context, config *rest.Config) error {
	kubeClient, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if w.applications, err = appclientset.NewForConfig(config); err != nil {
		return err
	}
	manager := settings.NewSettingsManager(ctx, kubeClient, argocdNamespace)
	inMemory := cacheutil.NewCache(cacheutil.NewInMemoryCache(time.Hour))
	shards := sharding.NewClusterSharding(db.NewDB(argocdNamespace, manager, kubeClient), 0, 1, "")
	w.controller, err = controller.NewApplicationController(
		argocdNamespace, manager, kubeClient, w.applications, w.repository, noCommits{},
		appstatecache.NewCache(inMemory, time.Hour), kubeutil.NewKubectl(),
		// Nothing happens because of time, and what heals does so at once.
		0, 0, 0, 0, nil, 0, 0,
		0, 0, nil, nil, nil, 0, true, shards, nil, nil, false, false, normalizers.IgnoreNormalizerOpts{}, nil, false,
	)
	if err != nil {
		return err
	}
	// Without workers, the controller only watches.
	go w.controller.Run(ctx, 0, 0, 0)
	w.informer = *fieldOf[clientcache.SharedIndexInformer](w.controller, "appInformer")
	w.live = *fieldOf[statecache.LiveStateCache](w.controller, "stateCache")
	if !clientcache.WaitForCacheSync(ctx.Done(), w.informer.HasSynced) {
		return errors.New("the Applications are not watched")
	}
	return nil
}

func (w *world) startSets(ctx context.Context, config *rest.Config, scheme *runtime.Scheme) error {
	ctrl.SetLogger(logr.Discard())
	made, err := ctrl.NewManager(config, manager.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	kubeClient, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	metrics := appsetmetrics.NewApplicationsetMetrics(appsetutils.NewAppsetLister(made.GetClient()), nil, func(*v1alpha1.ApplicationSet) bool { return true })
	informer, err := settings.NewClusterInformer(kubeClient, argocdNamespace)
	if err != nil {
		return err
	}
	go informer.Run(ctx.Done())
	settingsManager := settings.NewSettingsManager(ctx, kubeClient, argocdNamespace)
	w.cached = appsetutils.NewCacheSyncingClient(made.GetClient(), made.GetCache())
	w.sets = &controllers.ApplicationSetReconciler{
		Client:                   w.cached,
		Scheme:                   scheme,
		Recorder:                 record.NewFakeRecorder(1 << 20),
		Generators:               map[string]generators.Generator{"List": generators.NewListGenerator()},
		Renderer:                 &appsetutils.Render{},
		Policy:                   v1alpha1.ApplicationsSyncPolicySync,
		EnablePolicyOverride:     true,
		KubeClientset:            kubeClient,
		ArgoDB:                   db.NewDB(argocdNamespace, settingsManager, kubeClient),
		ArgoCDNamespace:          argocdNamespace,
		ApplicationSetNamespaces: []string{argocdNamespace},
		Metrics:                  &metrics,
		ClusterInformer:          informer,
	}
	// It registers the index that the reconciler needs; the manager is not started, so that nothing is reconciled unasked.
	if err := w.sets.SetupWithManager(made, false, 1, nil); err != nil {
		return err
	}
	go func() { _ = made.GetCache().Start(ctx) }()
	if !made.GetCache().WaitForCacheSync(ctx) || !clientcache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return errors.New("the ApplicationSets are not watched")
	}
	return nil
}

// one is a queue of one item: an event of the cluster puts nothing into it.
type one struct {
	workqueue.TypedRateLimitingInterface[string]
	key string
}

func (q one) Get() (string, bool)            { return q.key, false }
func (q one) Add(string)                     {}
func (q one) AddAfter(string, time.Duration) {}
func (q one) AddRateLimited(string)          {}
func (q one) Done(string)                    {}
func (q one) Forget(string)                  {}
func (q one) ShutDown()                      {}

// folders stands for the repo-server: its folders have plain manifests.
type folders struct {
	apiclient.RepoServerServiceClient
	revision string
	folders  map[string][]json.RawMessage
}

func (r *folders) NewRepoServerClient() (utilio.Closer, apiclient.RepoServerServiceClient, error) {
	return utilio.NopCloser, r, nil
}

func (r *folders) ResolveRevision(context.Context, *apiclient.ResolveRevisionRequest, ...grpc.CallOption) (*apiclient.ResolveRevisionResponse, error) {
	return &apiclient.ResolveRevisionResponse{Revision: r.revision}, nil
}

func (r *folders) TestRepository(context.Context, *apiclient.TestRepositoryRequest, ...grpc.CallOption) (*apiclient.TestRepositoryResponse, error) {
	return &apiclient.TestRepositoryResponse{VerifiedRepository: true}, nil
}

func (r *folders) GenerateManifest(_ context.Context, asked *apiclient.ManifestRequest, _ ...grpc.CallOption) (*apiclient.ManifestResponse, error) {
	path := asked.ApplicationSource.Path
	objects, ok := r.folders[path]
	if !ok {
		return nil, fmt.Errorf("%s: app path does not exist", path)
	}
	answered := &apiclient.ManifestResponse{Revision: r.revision, SourceType: string(v1alpha1.ApplicationSourceTypeDirectory)}
	for _, text := range objects {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(text, object); err != nil {
			return nil, err
		}
		// The repo-server marks each object with Argo CD's own function.
		if err := argo.NewResourceTracking().SetAppInstance(object, "app.kubernetes.io/instance", asked.AppName, asked.Namespace, v1alpha1.TrackingMethod(asked.TrackingMethod), asked.InstallationID); err != nil {
			return nil, err
		}
		manifest, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		answered.Manifests = append(answered.Manifests, string(manifest))
	}
	return answered, nil
}

type noCommits struct{}

func (noCommits) NewCommitServerClient() (utilio.Closer, commitclient.CommitServiceClient, error) {
	return nil, nil, errors.New("nothing is committed")
}

// maxRounds bounds how often each actor acts until nothing changes.
const maxRounds = 8

// run creates the older version, changes the repository, and lets each actor act in an order, again and again.
func (w *world) run(ctx context.Context, asked history, order []string) (map[string]*fate, error) {
	if err := w.clean(ctx); err != nil {
		return nil, fmt.Errorf("cleaning: %w", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: asked.Namespace}}
	if err := ensure(ctx, w.client, namespace); err != nil {
		return nil, err
	}
	if err := w.begin(ctx, asked.Before); err != nil {
		return nil, fmt.Errorf("the older version: %w", err)
	}
	first, err := w.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	fates := map[string]*fate{}
	for key := range first {
		fates[key] = &fate{}
	}
	w.repository.revision, w.repository.folders = strings.Repeat("b", 40), asked.After.Folders
	done := map[string]bool{}
	act := func(actor string) error {
		switch {
		case actor == "apply" || actor == "delete":
			if done[actor] {
				return nil
			}
			done[actor] = true
			return w.people(ctx, actor, asked)
		default:
			return w.step(ctx, actor, false)
		}
	}
	see := func(actor string) error {
		now, err := w.snapshot(ctx)
		if err != nil {
			return err
		}
		for key, uid := range first {
			if now[key] != uid && !fates[key].Deleted {
				log.Infof("HARNESS %s: %s is deleted", actor, key)
				fates[key].Deleted = true
			}
		}
		return nil
	}
	if err := w.settle(ctx, order, act, see); err != nil {
		return nil, err
	}
	for _, one := range fates {
		one.DeletedLater = one.Deleted
	}
	later := func(actor string) error {
		now, err := w.snapshot(ctx)
		for key, uid := range first {
			if now[key] != uid {
				fates[key].DeletedLater = true
			}
		}
		return err
	}
	if err := w.settle(ctx, order, func(actor string) error { return w.approve(ctx, actor) }, later); err != nil {
		return nil, err
	}
	last, err := w.snapshot(ctx)
	for key := range fates {
		fates[key].Present = last[key] != ""
	}
	return fates, err
}

// begin deploys a version: people apply its objects and sync what does not sync itself.
func (w *world) begin(ctx context.Context, asked version) error {
	w.repository.revision, w.repository.folders = strings.Repeat("a", 40), asked.Folders
	w.wrote()
	for _, object := range asked.People {
		if err := w.client.Create(ctx, object.DeepCopy()); err != nil {
			return err
		}
	}
	act := func(actor string) error { return w.step(ctx, actor, true) }
	return w.settle(ctx, nil, act, func(string) error { return nil })
}

// settle lets the actors act in an order until a round changes nothing. Those that the order does not name act last.
func (w *world) settle(ctx context.Context, order []string, act func(string) error, see func(string) error) error {
	known := ""
	for range maxRounds {
		actors := slices.Clone(order)
		found, err := w.actors(ctx)
		if err != nil {
			return err
		}
		for _, actor := range found {
			if !slices.Contains(actors, actor) {
				actors = append(actors, actor)
			}
		}
		for _, actor := range actors {
			if err := act(actor); err != nil {
				return fmt.Errorf("%s: %w", actor, err)
			}
			if err := w.collect(ctx); err != nil {
				return err
			}
			if err := see(actor); err != nil {
				return err
			}
		}
		now, err := w.state(ctx)
		if err != nil {
			return err
		}
		if now == known {
			return nil
		}
		known = now
	}
	return nil
}

func (w *world) list(ctx context.Context, kind schema.GroupVersionKind) ([]unstructured.Unstructured, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	var options []client.ListOption
	if kind.Kind == "CustomResourceDefinition" {
		// The others are large, and belong to Argo CD.
		options = append(options, client.MatchingLabels{"render-rgd.dev/history": "true"})
	}
	err := w.client.List(ctx, list, options...)
	return slices.DeleteFunc(list.Items, func(one unstructured.Unstructured) bool {
		own := one.GetNamespace() == argocdNamespace && (one.GetKind() == "ConfigMap" || one.GetKind() == "Secret")
		return own || one.GetName() == "kube-root-ca.crt" || strings.HasPrefix(one.GetNamespace(), "kube-") || isInstalled(one)
	}), err
}

func isInstalled(object unstructured.Unstructured) bool {
	return object.GetKind() == "CustomResourceDefinition" && !strings.HasSuffix(object.GetName(), ".example.com")
}

// all has the objects of the histories. They are listed once after each write, because lists take most of the time.
func (w *world) all(ctx context.Context) ([]unstructured.Unstructured, error) {
	if w.known != nil {
		return w.known, nil
	}
	found := []unstructured.Unstructured{}
	for _, kind := range watchedKinds {
		objects, err := w.list(ctx, kind)
		if err != nil {
			return nil, err
		}
		found = append(found, objects...)
	}
	w.known = found
	return found, nil
}

func keyOf(object unstructured.Unstructured) string {
	return fmt.Sprintf("%s %s/%s", object.GetKind(), object.GetNamespace(), object.GetName())
}

// snapshot has the UID of each object that is not being deleted.
func (w *world) snapshot(ctx context.Context) (map[string]types.UID, error) {
	objects, err := w.all(ctx)
	found := map[string]types.UID{}
	for _, object := range objects {
		if object.GetDeletionTimestamp() == nil {
			found[keyOf(object)] = object.GetUID()
		}
	}
	return found, err
}

// state is a text that differs if an actor did something.
func (w *world) state(ctx context.Context) (string, error) {
	objects, err := w.all(ctx)
	var texts []string
	for _, object := range objects {
		phase, _, _ := unstructured.NestedString(object.Object, "status", "operationState", "phase")
		spec, err := json.Marshal([]any{object.Object["spec"], object.Object["data"], object.Object["operation"]})
		if err != nil {
			return "", err
		}
		texts = append(texts, fmt.Sprint(keyOf(object), object.GetUID(), string(spec), object.GetDeletionTimestamp(), object.GetFinalizers(), object.GetAnnotations(), phase))
	}
	return strings.Join(texts, "\n"), err
}

func (w *world) actors(ctx context.Context) ([]string, error) {
	objects, err := w.all(ctx)
	var found []string
	for _, object := range objects {
		if object.GroupVersionKind().Group == "argoproj.io" {
			found = append(found, object.GetKind()+" "+object.GetName())
		}
	}
	return found, err
}

// collect does what Kubernetes' own controllers do with what has no dependents here, until nothing is left to do.
func (w *world) collect(ctx context.Context) error {
	for range maxRounds {
		if _, err := w.all(ctx); err != nil {
			return err
		}
		if err := w.collectOnce(ctx); err != nil || w.known != nil {
			return err
		}
	}
	return errors.New("what is being deleted is not gone")
}

// collectOnce finishes deletions, and deletes Applications whose ApplicationSet is gone.
func (w *world) collectOnce(ctx context.Context) error {
	objects := w.known
	present := map[types.UID]bool{}
	for _, object := range objects {
		present[object.GetUID()] = true
	}
	for _, object := range objects {
		owners := object.GetOwnerReferences()
		isOwned := slices.ContainsFunc(owners, func(one metav1.OwnerReference) bool { return present[one.UID] })
		if len(owners) > 0 && !isOwned && object.GetDeletionTimestamp() == nil {
			if err := w.remove(ctx, object); err != nil {
				return err
			}
		}
		if object.GetDeletionTimestamp() == nil {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(object.GetFinalizers()), isOfKubernetes)
		if len(rest) != len(object.GetFinalizers()) {
			if err := w.setFinalizers(ctx, object, rest); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOfKubernetes reports whether one of Kubernetes' own controllers removes a finalizer.
func isOfKubernetes(finalizer string) bool {
	return finalizer == metav1.FinalizerDeleteDependents || finalizer == metav1.FinalizerOrphanDependents ||
		strings.HasPrefix(finalizer, "kubernetes.io/") || strings.HasPrefix(finalizer, "customresourcecleanup.")
}

func (w *world) setFinalizers(ctx context.Context, object unstructured.Unstructured, finalizers []string) error {
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": finalizers}})
	if err != nil {
		return err
	}
	w.wrote()
	return client.IgnoreNotFound(w.client.Patch(ctx, object.DeepCopy(), client.RawPatch(types.MergePatchType, text)))
}

// people do their part of a change once: they apply what a version has, or delete what it lacks.
func (w *world) people(ctx context.Context, does string, asked history) error {
	w.wrote()
	key := func(object *unstructured.Unstructured) string { return keyOf(*object) }
	if does == "apply" {
		for _, object := range asked.After.People {
			owner := client.FieldOwner("people")
			if err := w.client.Patch(ctx, object.DeepCopy(), client.Apply, owner, client.ForceOwnership); err != nil {
				return err
			}
		}
		return nil
	}
	for _, object := range asked.Before.People {
		if slices.ContainsFunc(asked.After.People, func(one *unstructured.Unstructured) bool { return key(one) == key(object) }) {
			continue
		}
		if err := w.remove(ctx, *object.DeepCopy()); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) remove(ctx context.Context, object unstructured.Unstructured) error {
	w.wrote()
	return client.IgnoreNotFound(w.client.Delete(ctx, object.DeepCopy()))
}

// step lets a controller act on its object, as far as it goes. In the beginning people help.
func (w *world) step(ctx context.Context, actor string, isBeginning bool) error {
	kind, name, _ := strings.Cut(actor, " ")
	if err := w.catchUp(ctx); err != nil {
		return err
	}
	key := types.NamespacedName{Namespace: argocdNamespace, Name: name}
	w.wrote()
	if kind == "ApplicationSet" {
		_, err := w.sets.Reconcile(ctx, ctrl.Request{NamespacedName: key})
		return err
	}
	application, err := w.applicationOf(ctx, name)
	if application == nil || err != nil {
		return err
	}
	if !isBeginning && !isWatched(w.controller, application) {
		return nil
	}
	w.queue(key.String())
	if application.DeletionTimestamp != nil {
		return w.operate(ctx, name)
	}
	askRefresh(w.controller, key.String(), controller.CompareWithLatestForceResolve.Pointer(), nil)
	processRefresh(w.controller)
	if isBeginning {
		if err := w.sync(ctx, name); err != nil {
			return err
		}
	}
	if application, err = w.applicationOf(ctx, name); application == nil || application.Operation == nil || err != nil {
		return err
	}
	if err := w.operate(ctx, name); err != nil {
		return err
	}
	application, err = w.applicationOf(ctx, name)
	if application == nil || err != nil {
		return err
	}
	if state := application.Status.OperationState; isBeginning && (state == nil || state.Phase != common.OperationSucceeded) {
		return fmt.Errorf("%s is not synced: %v %v", name, state, application.Status.Conditions)
	}
	// The sync asks for it.
	w.wrote()
	askRefresh(w.controller, key.String(), controller.CompareWithLatestForceResolve.Pointer(), nil)
	processRefresh(w.controller)
	return nil
}

func (w *world) queue(key string) {
	*fieldOf[workqueue.TypedRateLimitingInterface[string]](w.controller, "appRefreshQueue") = one{key: key}
	*fieldOf[workqueue.TypedRateLimitingInterface[string]](w.controller, "appOperationQueue") = one{key: key}
}

func (w *world) applicationOf(ctx context.Context, name string) (*v1alpha1.Application, error) {
	found, err := w.applications.ArgoprojV1alpha1().Applications(argocdNamespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}

// maxOperations bounds the steps of one sync or deletion.
const maxOperations = 8

// operate lets the operation processor act until it has nothing to do, or waits for something else.
func (w *world) operate(ctx context.Context, name string) error {
	for range maxOperations {
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		application, err := w.applicationOf(ctx, name)
		if err != nil || application == nil {
			return err
		}
		state := application.Status.OperationState
		// A sync that failed is tried again after a time.
		isFailed := application.Operation != nil && state != nil && state.Phase == common.OperationRunning && state.FinishedAt != nil
		if isFailed || (application.Operation == nil && application.DeletionTimestamp == nil) {
			return nil
		}
		w.wrote()
		processOperation(w.controller)
	}
	return nil
}

// sync starts what a person starts with `argocd app sync --prune`, unless the controller has started it.
func (w *world) sync(ctx context.Context, name string) error {
	application, err := w.applicationOf(ctx, name)
	if err != nil || application == nil || application.Operation != nil || application.Status.Sync.Status == v1alpha1.SyncStatusCodeSynced && application.Status.OperationState != nil {
		return err
	}
	var options v1alpha1.SyncOptions
	if application.Spec.SyncPolicy != nil {
		options = application.Spec.SyncPolicy.SyncOptions
	}
	operation := &v1alpha1.Operation{Sync: &v1alpha1.SyncOperation{Revision: w.repository.revision, Prune: true, SyncOptions: options}}
	w.wrote()
	_, err = argo.SetAppOperation(w.applications.ArgoprojV1alpha1().Applications(argocdNamespace), name, operation)
	return err
}

// approve confirms what waits for a confirmation, and syncs what does not sync itself.
func (w *world) approve(ctx context.Context, actor string) error {
	kind, name, _ := strings.Cut(actor, " ")
	if kind != "Application" {
		return nil
	}
	application, err := w.applicationOf(ctx, name)
	if err != nil || application == nil {
		return err
	}
	if !isWatched(w.controller, application) {
		return nil
	}
	text := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, "argocd.argoproj.io/deletion-approved", time.Now().Add(time.Minute).UTC().Format(time.RFC3339))
	applications := w.applications.ArgoprojV1alpha1().Applications(argocdNamespace)
	if _, known := application.Annotations["argocd.argoproj.io/deletion-approved"]; !known {
		w.wrote()
		if _, err := applications.Patch(ctx, name, types.MergePatchType, []byte(text), metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	isManual := application.Spec.SyncPolicy == nil || !application.Spec.SyncPolicy.IsAutomatedSyncEnabled()
	if isManual && application.DeletionTimestamp == nil {
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		w.queue(argocdNamespace + "/" + name)
		if err := w.sync(ctx, name); err != nil {
			return err
		}
	}
	return w.step(ctx, actor, false)
}

// catchUp waits until the caches of the controllers have what the API server has.
func (w *world) catchUp(ctx context.Context) error {
	if err := w.collect(ctx); err != nil {
		return err
	}
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		behind, err := w.behind(ctx)
		if err != nil || behind == "" {
			return err
		}
		if time.Since(start) > time.Minute {
			return fmt.Errorf("the caches do not catch up: %s", behind)
		}
	}
}

func (w *world) behind(ctx context.Context) (string, error) {
	cluster := &v1alpha1.Cluster{Server: v1alpha1.KubernetesInternalAPIServerAddr, Name: "in-cluster"}
	cache, err := w.live.GetClusterCache(cluster)
	if err != nil {
		return "", err
	}
	objects, err := w.all(ctx)
	if err != nil {
		return "", err
	}
	seen := map[kube.ResourceKey]string{}
	cached := cache.FindResources("", func(*clustercache.Resource) bool { return true })
	for key, resource := range cached {
		seen[key] = resource.ResourceVersion
	}
	applications := 0
	wanted := map[kube.ResourceKey]bool{}
	for _, object := range objects {
		key := kube.GetResourceKey(&object)
		wanted[key] = true
		if seen[key] != object.GetResourceVersion() {
			return "the cluster cache: " + key.String(), nil
		}
		if object.GetKind() == "Application" {
			applications++
			item, exists, err := w.informer.GetStore().GetByKey(object.GetNamespace() + "/" + object.GetName())
			if err != nil {
				return "", err
			}
			if !exists || item.(metav1.Object).GetResourceVersion() != object.GetResourceVersion() {
				return "the informer: " + key.String(), nil
			}
		}
		if object.GetKind() == "Application" || object.GetKind() == "ApplicationSet" {
			var own client.Object = &v1alpha1.Application{}
			if object.GetKind() == "ApplicationSet" {
				own = &v1alpha1.ApplicationSet{}
			}
			err := w.cached.Get(ctx, client.ObjectKeyFromObject(&object), own)
			if client.IgnoreNotFound(err) != nil {
				return "", err
			}
			if own.GetResourceVersion() != object.GetResourceVersion() {
				return "the cache of the ApplicationSets: " + key.String(), nil
			}
		}
	}
	for key := range cached {
		object := unstructured.Unstructured{}
		object.SetKind(key.Kind)
		object.SetName(key.Name)
		own := key.Name == "kube-root-ca.crt" || key.Namespace == argocdNamespace && (key.Kind == "ConfigMap" || key.Kind == "Secret")
		if !wanted[key] && !own && !isInstalled(object) && !strings.HasPrefix(key.Namespace, "kube-") {
			return "the cluster cache has " + key.String(), nil
		}
	}
	if len(w.informer.GetStore().ListKeys()) != applications {
		return "the informer has more Applications", nil
	}
	list := &v1alpha1.ApplicationList{}
	if err := w.cached.List(ctx, list); err != nil {
		return "", err
	}
	if len(list.Items) != applications {
		return "the cache of the ApplicationSets has more", nil
	}
	return "", nil
}

// clean deletes all that an earlier history left.
func (w *world) clean(ctx context.Context) error {
	w.wrote()
	for range maxRounds {
		objects, err := w.all(ctx)
		if err != nil {
			return err
		}
		if len(objects) == 0 {
			return w.catchUp(ctx)
		}
		for _, object := range objects {
			if len(object.GetFinalizers()) > 0 {
				if err := w.setFinalizers(ctx, object, nil); err != nil {
					return err
				}
			}
			if err := w.remove(ctx, object); err != nil {
				return err
			}
		}
		if err := w.collect(ctx); err != nil {
			return err
		}
	}
	return errors.New("objects of an earlier history remain")
}
