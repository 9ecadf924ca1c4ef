// Command keys prints the keys of labels, annotations and finalizers among the constants of Go modules, as JSON.
//
//	go run ./keys FOLDER[=GROUP]...
//
// Each folder is that of a module. A constant such as fmt.Sprintf("%s/prune", GroupVersion.Group) gets the group of its
// module. Tests are left out. Nothing is compiled.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// key is what a constant of a label, an annotation or a finalizer looks like: a domain, a slash and a name.
var key = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+/[A-Za-z0-9][A-Za-z0-9._-]*$`)

func main() {
	found := map[string]string{}
	for _, argument := range os.Args[1:] {
		folder, group, _ := strings.Cut(argument, "=")
		if err := scan(folder, group, found); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	text, err := json.MarshalIndent(names, "", "  ")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(text))
}

// ofGroup is the format of a key of the group of its module.
var ofGroup = regexp.MustCompile(`^%s/[A-Za-z]+$`)

func scan(folder, group string, found map[string]string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			literal, isLiteral := node.(*ast.BasicLit)
			if !isLiteral || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				return true
			}
			if group != "" && ofGroup.MatchString(text) {
				found[strings.Replace(text, "%s", group, 1)] = path
			}
			if key.MatchString(text) && isOfControllers(text) {
				found[text] = path
			}
			return true
		})
		return nil
	})
}

// controllers are the domains of the keys that the controllers define or obey.
var controllers = []string{"argocd.argoproj.io/", "resources-finalizer.argocd.argoproj.io/", "fluxcd.io/", "fluxcd.controlplane.io/", "helm.sh/"}

func isOfControllers(text string) bool {
	for _, domain := range controllers {
		if strings.HasPrefix(text, domain) || strings.Contains(text, "."+domain) {
			return true
		}
	}
	return false
}
