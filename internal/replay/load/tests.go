package load

import "context"

// FetchTests fetches the modules that the tests of packages import, if some are missing. Its error names what could not
// be fetched; the other tests can be built all the same.
func (v *Version) FetchTests(ctx context.Context, paths []string) error {
	args := append([]string{"list", "-deps", "-test", "-buildvcs=false", "-f", "{{.ImportPath}}", "--"}, paths...)
	_, err := v.run(ctx, args...)
	if err == nil || !missingModule(err.Error()) || !v.runner.MayFetch() {
		return nil
	}
	return v.fetch(ctx, args...)
}
