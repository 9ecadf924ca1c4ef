// Package broker stands for SPIFFE, which no history has.
package broker

type Interface interface{}
