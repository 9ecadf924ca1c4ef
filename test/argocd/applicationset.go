package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	log "github.com/sirupsen/logrus"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/services"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/git"
)

// files is a repository for the git generator: texts, or a working copy.
type files struct {
	services.Repos
	texts  map[string]string
	folder string
}

// matching lists files with Argo CD's own client, as the repo-server does.
func (f files) matching(pattern string) (map[string][]byte, error) {
	client, err := git.NewClientExt("file://"+f.folder, f.folder, git.NopCreds{}, true, false, "", "")
	if err != nil {
		return nil, err
	}
	names, err := client.LsFiles(context.Background(), pattern, false)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, name := range names {
		if found[name], err = os.ReadFile(filepath.Join(f.folder, name)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// folders are those of the working copy, without hidden ones.
func (f files) folders() ([]string, error) {
	var found []string
	err := filepath.WalkDir(f.folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || at == f.folder {
			return err
		}
		if strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		name, err := filepath.Rel(f.folder, at)
		found = append(found, name)
		return err
	})
	return found, err
}

func (f files) GetFiles(_ context.Context, _, _, _, pattern string, _ bool, _ *v1alpha1.SourceIntegrity) (map[string][]byte, error) {
	if f.folder != "" {
		return f.matching(pattern)
	}
	found := map[string][]byte{}
	for name, text := range f.texts {
		if matched, err := path.Match(pattern, name); err != nil {
			return nil, err
		} else if matched {
			found[name] = []byte(text)
		}
	}
	return found, nil
}

func (f files) GetDirectories(context.Context, string, string, string, bool, *v1alpha1.SourceIntegrity) ([]string, error) {
	if f.folder != "" {
		return f.folders()
	}
	var found []string
	for name := range f.texts {
		for at, char := range name {
			if char == '/' && !slices.Contains(found, name[:at]) {
				found = append(found, name[:at])
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// anyProject is a cluster with each AppProject that the git generator asks for.
type anyProject struct{ client.Client }

func (anyProject) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

// made is one line of standard output: the Applications, or why there are none.
type made struct {
	Applications []v1alpha1.Application `json:"applications,omitempty"`
	Error        string                 `json:"error,omitempty"`
}

// generate answers each line of the input, an ApplicationSet and the files of its repository, with a line.
func generate(input io.Reader, output io.Writer) error {
	log.SetOutput(io.Discard)
	decoder, encoder := json.NewDecoder(input), json.NewEncoder(output)
	for {
		var asked struct {
			Set   json.RawMessage   `json:"set"`
			Files map[string]string `json:"files"`
			// Folder is a working copy, instead of files.
			Folder string `json:"folder"`
		}
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		answered := made{}
		applications, err := applications(asked.Set, files{texts: asked.Files, folder: asked.Folder})
		if err != nil {
			answered.Error = err.Error()
		} else {
			answered.Applications = applications
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
}

// applications are what the controller makes of an ApplicationSet.
func applications(text []byte, repository files) (made []v1alpha1.Application, err error) {
	// The controller's workqueue recovers from a panic: the ApplicationSet fails.
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	var set v1alpha1.ApplicationSet
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, err
	}
	leaves := map[string]generators.Generator{
		"List": generators.NewListGenerator(),
		"Git":  generators.NewGitGenerator(repository, set.Namespace),
	}
	// As applicationset/controllers does: a matrix and a merge may hold one another once.
	nested := maps.Clone(leaves)
	nested["Matrix"], nested["Merge"] = generators.NewMatrixGenerator(leaves), generators.NewMergeGenerator(leaves)
	all := maps.Clone(leaves)
	all["Matrix"], all["Merge"] = generators.NewMatrixGenerator(nested), generators.NewMergeGenerator(nested)
	made, _, err = template.GenerateApplications(log.NewEntry(log.StandardLogger()), set, all, &utils.Render{}, anyProject{})
	return made, err
}
