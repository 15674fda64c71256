package page_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/page"
)

func TestTmp(t *testing.T) {
	for _, f := range []string{"cli+cli-6dab689718db", "expr-lang+expr-94ec86d33388", "yuin+goldmark-85b270b4721a", "restic+restic-8baffc40273b", "golangci+golangci-lint-2da081b8b349"} {
		data, _ := os.ReadFile("/tmp/k68/" + f + ".json")
		r, err := json.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := page.Write(&out, r); err != nil {
			t.Fatal(err)
		}
		os.WriteFile("/tmp/page-"+f+".html", out.Bytes(), 0o666)
		t.Log(f, out.Len())
	}
}
