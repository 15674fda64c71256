package symbol

import (
	"go/ast"
	"go/token"
	"slices"
)

// A Region is what lies between two places of a source and may run more or less often than what is around it: from the
// opening brace of a block to the closing one, from the colon of a case to the next case, or an if that follows else.
type Region struct{ Open, Close token.Pos }

// Regions returns the regions in a node in the order in which they open, so each before those inside it.
func Regions(root ast.Node) (list []Region) {
	cases := map[*ast.BlockStmt]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		list = append(list, begun(n, cases)...)
		return true
	})
	slices.SortFunc(list, func(a, b Region) int { return int(a.Open - b.Open) })
	return list
}

// EachOwn visits the nodes of the body of one function, without those of literals inside, which are functions of their
// own.
func EachOwn(body *ast.BlockStmt, visit func(ast.Node)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// begun returns the regions that a node itself has. Those bodies that hold cases are no regions.
func begun(n ast.Node, cases map[*ast.BlockStmt]bool) []Region {
	switch n := n.(type) {
	case *ast.IfStmt:
		if chained, ok := n.Else.(*ast.IfStmt); ok {
			return []Region{{chained.Pos(), chained.End()}}
		}
	case *ast.SwitchStmt:
		cases[n.Body] = true
	case *ast.TypeSwitchStmt:
		cases[n.Body] = true
	case *ast.SelectStmt:
		cases[n.Body] = true
	case *ast.BlockStmt:
		if cases[n] {
			return Cases(n)
		}
		return []Region{{n.Lbrace, n.Rbrace}}
	}
	return nil
}

// Cases returns the regions of the cases in the body of a switch or select, in their order.
func Cases(body *ast.BlockStmt) (list []Region) {
	for i, s := range body.List {
		end := body.Rbrace
		if i+1 < len(body.List) {
			end = body.List[i+1].Pos()
		}
		switch s := s.(type) {
		case *ast.CaseClause:
			list = append(list, Region{s.Colon, end})
		case *ast.CommClause:
			list = append(list, Region{s.Colon, end})
		}
	}
	return list
}
