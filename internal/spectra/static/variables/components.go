package variables

// components lists the strongly connected components of a graph that is given by the successors of each node. The
// component of a successor comes no later than that of the node. It is Tarjan's algorithm, without recursion, because
// graphs of large modules are deep.
func components(edges [][]int) [][]int {
	c := search{edges: edges, index: make([]int, len(edges)), low: make([]int, len(edges)),
		on: make([]bool, len(edges))}
	for node := range edges {
		if c.index[node] == 0 {
			c.run(node)
		}
	}
	return c.found
}

type search struct {
	edges      [][]int
	index, low []int // 0 = not met
	on         []bool
	met        int
	stack      []int
	found      [][]int
}

// visit is a node on the current path, with the number of its successors that are done.
type visit struct{ node, done int }

func (c *search) run(start int) {
	path := []visit{c.meet(start)}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if top.done < len(c.edges[top.node]) {
			next := c.edges[top.node][top.done]
			top.done++
			if c.index[next] == 0 {
				path = append(path, c.meet(next))
			} else if c.on[next] {
				c.low[top.node] = min(c.low[top.node], c.index[next])
			}
			continue
		}
		node := top.node
		path = path[:len(path)-1]
		if len(path) > 0 {
			parent := path[len(path)-1].node
			c.low[parent] = min(c.low[parent], c.low[node])
		}
		if c.low[node] == c.index[node] {
			c.cut(node)
		}
	}
}

func (c *search) meet(node int) visit {
	c.met++
	c.index[node], c.low[node] = c.met, c.met
	c.stack = append(c.stack, node)
	c.on[node] = true
	return visit{node: node}
}

// cut takes a finished component from the stack.
func (c *search) cut(node int) {
	for i := len(c.stack) - 1; ; i-- {
		c.on[c.stack[i]] = false
		if c.stack[i] == node {
			c.found = append(c.found, append([]int(nil), c.stack[i:]...))
			c.stack = c.stack[:i]
			return
		}
	}
}
