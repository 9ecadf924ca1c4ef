// The parts of release.go are those of judge.go and exec.go here.
package main
