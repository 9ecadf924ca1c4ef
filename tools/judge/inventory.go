package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/kubernetes-sigs/kro/api/v1alpha1"
	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
)

// Inventory is what kro has: what a generator of packages has to draw.
type Inventory struct {
	// Fields of an RGD, from kro's API types: `spec.resources[].forEach[]`.
	Fields []string `json:"fields"`
	// Markers of SimpleSchema, from the constants of kro's parser.
	Markers []string `json:"markers"`
	// Types of SimpleSchema, from the constants of kro's parser.
	Types []string `json:"types"`
	// Functions and operators of kro's CEL environment, and its macros.
	Functions []string `json:"functions"`
	Macros    []string `json:"macros"`
	// Headings of kro's documentation of RGDs, with their page.
	Headings []string `json:"headings"`
}

// inventory prints what the API types, the CEL environment, the parser and the documentation of kro have. `sources` is
// the folder of its module.
func inventory(sources string) error {
	environment, err := krocel.DefaultEnvironment()
	if err != nil {
		return err
	}
	functions := map[string]bool{}
	for name := range environment.Functions() {
		// Names that only the expansion of a macro or the compiler writes.
		if !strings.HasPrefix(name, "@") && !strings.HasPrefix(name, "cel.@") {
			functions[name] = true
		}
	}
	macros := map[string]bool{}
	for _, macro := range environment.Macros() {
		macros[macro.Function()] = true
	}
	fields := map[string]bool{}
	fieldsOf(reflect.TypeFor[v1alpha1.ResourceGraphDefinitionSpec](), "spec", fields)
	markers, err := constants(filepath.Join(sources, "pkg/simpleschema/markers.go"), "MarkerType")
	if err != nil {
		return err
	}
	atomic, err := constants(filepath.Join(sources, "pkg/simpleschema/types/atomic.go"), "Atomic")
	if err != nil {
		return err
	}
	headings, err := headingsOf(filepath.Join(sources, "website/docs"))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(Inventory{sorted(fields), markers, atomic, sorted(functions), sorted(macros), headings})
}

// fieldsOf collects the fields of a type as JSON names them; other modules' types are not followed.
func fieldsOf(of reflect.Type, path string, found map[string]bool) {
	switch of.Kind() {
	case reflect.Pointer:
		fieldsOf(of.Elem(), path, found)
		return
	case reflect.Slice:
		fieldsOf(of.Elem(), path+"[]", found)
		return
	}
	if of.Kind() != reflect.Struct || of.PkgPath() != reflect.TypeFor[v1alpha1.Schema]().PkgPath() {
		return
	}
	for index := range of.NumField() {
		field := of.Field(index)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		found[path+"."+name] = true
		fieldsOf(field.Type, path+"."+name, found)
	}
}

// constants returns the values of the string constants of a type in a file.
func constants(file, of string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		spec, isValue := node.(*ast.ValueSpec)
		if !isValue {
			return true
		}
		name, isNamed := spec.Type.(*ast.Ident)
		for _, value := range spec.Values {
			literal, isLiteral := value.(*ast.BasicLit)
			if isNamed && name.Name == of && isLiteral && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				found[text] = true
			}
		}
		return true
	})
	return sorted(found), nil
}

// pages are the folders and files of the documentation about what an RGD and an instance are.
var pages = []string{"api/specifications", "docs/concepts", "docs/building-abstractions"}

// headingsOf returns `page: heading` for each heading of the pages.
func headingsOf(docs string) ([]string, error) {
	found := []string{}
	for _, folder := range pages {
		root := filepath.Join(docs, folder)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".md") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			page, err := filepath.Rel(docs, path)
			if err != nil {
				return err
			}
			isCode := false
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(strings.TrimSpace(line), "```") {
					isCode = !isCode
				}
				if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") && !isCode {
					found = append(found, page+": "+strings.TrimSpace(heading))
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	sort.Strings(found)
	return found, nil
}

func sorted(set map[string]bool) []string {
	all := make([]string, 0, len(set))
	for one := range set {
		all = append(all, one)
	}
	sort.Strings(all)
	return all
}
