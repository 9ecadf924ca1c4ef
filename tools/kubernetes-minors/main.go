// Command kubernetes-minors writes what several minor releases of Kubernetes serve, and the lifecycles of their APIs.
//
// It downloads the modules of modules.json. The kinds and fields of a release come from api/openapi-spec/swagger.json of
// k8s.io/kubernetes, which is generated with every API version switched on, and the values of enumerations from the
// definitions that are compiled into the API server. The lifecycles come from zz_generated.prerelease-lifecycle.go of
// the modules with the types: a later module overrides an earlier one, and no module has all of them, because types are
// deleted after their removal.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

const lifecycleFile = "zz_generated.prerelease-lifecycle.go"

type modules struct {
	Minors     map[string]string `json:"minors"`
	Lifecycles []string          `json:"lifecycles"`
}

type lifecycle struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Kind        string `json:"kind"`
	Introduced  string `json:"introduced,omitempty"`
	Deprecated  string `json:"deprecated,omitempty"`
	Removed     string `json:"removed,omitempty"`
	Replacement *gvk   `json:"replacement,omitempty"`
	// IsObject tells whether it can be created by itself: a list of it exists, or a client for it is generated.
	IsObject bool `json:"isObject"`
}

type gvk struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

type release struct {
	Swagger json.RawMessage `json:"swagger"`
	// Enums has the values of fields, by Go type (k8s.io/api/core/v1.Container) and field.
	Enums map[string]map[string][]string `json:"enums"`
}

type dump struct {
	Releases   map[string]release `json:"releases"`
	Lifecycles []*lifecycle       `json:"lifecycles"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile("modules.json")
	if err != nil {
		return err
	}
	var wanted modules
	if err := json.Unmarshal(text, &wanted); err != nil {
		return err
	}
	result := dump{Releases: map[string]release{}}
	for minor, version := range wanted.Minors {
		one, err := readRelease("k8s.io/kubernetes@" + version)
		if err != nil {
			return fmt.Errorf("%s: %w", minor, err)
		}
		result.Releases[minor] = one
	}
	known := map[gvk]*lifecycle{}
	for _, module := range wanted.Lifecycles {
		directory, err := download(module)
		if err != nil {
			return err
		}
		if err := readLifecycles(directory, known); err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
	}
	for _, one := range known {
		result.Lifecycles = append(result.Lifecycles, one)
	}
	sort.Slice(result.Lifecycles, func(i, j int) bool {
		a, b := result.Lifecycles[i], result.Lifecycles[j]
		return a.Group+" "+a.Version+" "+a.Kind < b.Group+" "+b.Version+" "+b.Kind
	})
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(result)
}

// download returns the directory of a module. The go command checks it against the checksum database.
func download(module string) (string, error) {
	output, err := exec.Command("go", "mod", "download", "-json", module).Output()
	var answer struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(output, &answer); jsonErr != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	if answer.Error != "" {
		return "", fmt.Errorf("%s: %s", module, answer.Error)
	}
	return answer.Dir, nil
}

func readRelease(module string) (release, error) {
	directory, err := download(module)
	if err != nil {
		return release{}, err
	}
	swagger, err := os.ReadFile(filepath.Join(directory, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return release{}, err
	}
	enums, err := readEnums(filepath.Join(directory, "pkg", "generated", "openapi", "zz_generated.openapi.go"))
	return release{Swagger: swagger, Enums: enums}, err
}

// readEnums finds `"field": {SchemaProps: spec.SchemaProps{..., Enum: []interface{}{"A", "B"}}}` in the functions that
// return definitions, whose comments do not name the Go type: the map of GetOpenAPIDefinitions does.
func readEnums(path string) (map[string]map[string][]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	imports := map[string]string{}
	for _, one := range file.Imports {
		if one.Name == nil {
			continue
		}
		imported, err := strconv.Unquote(one.Path.Value)
		if err != nil {
			return nil, err
		}
		imports[one.Name.Name] = imported
	}
	typeOf := map[string]string{}
	enums := map[string]map[string][]string{}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if function.Name.Name == "GetOpenAPIDefinitions" {
			readTypes(function, imports, typeOf)
			continue
		}
		fields := enumsOf(function)
		if len(fields) > 0 {
			enums[function.Name.Name] = fields
		}
	}
	result := map[string]map[string][]string{}
	for function, fields := range enums {
		name, ok := typeOf[function]
		if !ok {
			return nil, fmt.Errorf("no type of %s", function)
		}
		result[name] = fields
	}
	return result, nil
}

// readTypes reads the entries of the map of definitions: `"k8s.io/api/core/v1.Pod": schema_k8sio_api_core_v1_Pod(ref)`
// of older releases, and `v1.Pod{}.OpenAPIModelName(): schema_...(ref)` of newer ones.
func readTypes(function *ast.FuncDecl, imports map[string]string, typeOf map[string]string) {
	ast.Inspect(function, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		call, ok := pair.Value.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		if !ok {
			return true
		}
		switch key := pair.Key.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(key.Value); err == nil {
				typeOf[name.Name] = text
			}
		case *ast.CallExpr:
			ast.Inspect(key, func(inner ast.Node) bool {
				selector, ok := inner.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if alias, ok := selector.X.(*ast.Ident); ok && imports[alias.Name] != "" {
					typeOf[name.Name] = imports[alias.Name] + "." + selector.Sel.Name
				}
				return true
			})
		}
		return false
	})
}

func enumsOf(function *ast.FuncDecl) map[string][]string {
	fields := map[string][]string{}
	ast.Inspect(function, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, ok := pair.Key.(*ast.BasicLit)
		if !ok || key.Kind != token.STRING {
			return true
		}
		name, err := strconv.Unquote(key.Value)
		values := enumIn(pair.Value)
		if err == nil && len(values) > 0 {
			fields[name] = values
		}
		return false
	})
	return fields
}

// enumIn returns the values of the one enumeration of a field, which may be that of its items.
func enumIn(field ast.Expr) []string {
	values := []string{}
	ast.Inspect(field, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != "Enum" {
			return true
		}
		literal, ok := pair.Value.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, element := range literal.Elts {
			if value, ok := element.(*ast.BasicLit); ok {
				if text, err := strconv.Unquote(value.Value); err == nil {
					values = append(values, text)
				}
			}
		}
		return false
	})
	return values
}

func readLifecycles(directory string, known map[gvk]*lifecycle) error {
	return filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return nil
		}
		methods, err := lifecycleMethods(path)
		if err != nil || len(methods) == 0 {
			return err
		}
		return readPackage(path, methods, known)
	})
}

// readPackage reads the lifecycles of one group and version. What a later module says replaces what was known.
func readPackage(directory string, methods []*ast.FuncDecl, known map[gvk]*lifecycle) error {
	group, isObject, err := readSources(directory)
	if err != nil {
		return err
	}
	version := filepath.Base(directory)
	found := map[string]*lifecycle{}
	for _, function := range methods {
		kind := function.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
		if found[kind] == nil {
			found[kind] = &lifecycle{Group: group, Version: version, Kind: kind, IsObject: isObject[kind]}
		}
		results := function.Body.List[0].(*ast.ReturnStmt).Results
		switch function.Name.Name {
		case "APILifecycleIntroduced":
			found[kind].Introduced = releaseOf(results)
		case "APILifecycleDeprecated":
			found[kind].Deprecated = releaseOf(results)
		case "APILifecycleRemoved":
			found[kind].Removed = releaseOf(results)
		case "APILifecycleReplacement":
			found[kind].Replacement = replacementOf(results[0].(*ast.CompositeLit))
		default:
			return fmt.Errorf("%s: unknown method %s", directory, function.Name.Name)
		}
	}
	for kind, one := range found {
		known[gvk{group, version, kind}] = one
	}
	return nil
}

// lifecycleMethods returns the generated methods, and those that are written by hand (core/v1/lifecycle.go).
func lifecycleMethods(directory string) ([]*ast.FuncDecl, error) {
	methods := []*ast.FuncDecl{}
	for _, name := range []string{lifecycleFile, "lifecycle.go"} {
		path := filepath.Join(directory, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if ok && function.Recv != nil && strings.HasPrefix(function.Name.Name, "APILifecycle") {
				methods = append(methods, function)
			}
		}
	}
	return methods, nil
}

// releaseOf reads `1, 25`; `0, 0` is no release.
func releaseOf(results []ast.Expr) string {
	major, minor := results[0].(*ast.BasicLit).Value, results[1].(*ast.BasicLit).Value
	if major == "0" {
		return ""
	}
	return major + "." + minor
}

func replacementOf(literal *ast.CompositeLit) *gvk {
	fields := map[string]string{}
	for _, element := range literal.Elts {
		pair := element.(*ast.KeyValueExpr)
		if text, err := strconv.Unquote(pair.Value.(*ast.BasicLit).Value); err == nil {
			fields[pair.Key.(*ast.Ident).Name] = text
		}
	}
	return &gvk{fields["Group"], fields["Version"], fields["Kind"]}
}

// readSources returns the group of a package, and its types that can be created.
func readSources(directory string) (string, map[string]bool, error) {
	register, err := os.ReadFile(filepath.Join(directory, "register.go"))
	if err != nil {
		return "", nil, err
	}
	group, err := groupOf(register)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", directory, err)
	}
	types, err := os.ReadFile(filepath.Join(directory, "types.go"))
	if err != nil {
		return "", nil, err
	}
	isObject := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", types, parser.ParseComments)
	if err != nil {
		return "", nil, err
	}
	names := map[string]bool{}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, one := range general.Specs {
			names[one.(*ast.TypeSpec).Name.Name] = true
		}
	}
	for name := range names {
		isObject[name] = names[name+"List"] || hasClient(types, name)
	}
	return group, isObject, nil
}

// hasClient tells whether `+genclient` is among the comments before a type, which blank lines may separate.
func hasClient(types []byte, name string) bool {
	before, _, ok := bytes.Cut(types, []byte("\ntype "+name+" struct"))
	if !ok {
		return false
	}
	lines := strings.Split(string(before), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "// +genclient" {
			return true
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			return false
		}
	}
	return false
}

func groupOf(register []byte) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "register.go", register, 0)
	if err != nil {
		return "", err
	}
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if !ok || general.Tok != token.CONST {
			continue
		}
		for _, one := range general.Specs {
			value := one.(*ast.ValueSpec)
			if value.Names[0].Name != "GroupName" {
				continue
			}
			if literal, ok := value.Values[0].(*ast.BasicLit); ok {
				return strconv.Unquote(literal.Value)
			}
		}
	}
	return "", fmt.Errorf("no GroupName in register.go")
}
