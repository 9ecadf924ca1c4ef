// Package masktoken stands for the masking of error messages.
package masktoken

import "strings"

func MaskTokenFromString(text, token string) (string, error) {
	return strings.ReplaceAll(text, token, "*****"), nil
}
