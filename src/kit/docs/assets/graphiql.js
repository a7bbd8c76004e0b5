// GraphiQL with a tab for each example operation.
const { React, ReactDOM, GraphiQL } = window;

function render(examples) {
  const element = React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: '/graphql' }),
    // Without examples, GraphiQL's own first tab.
    ...(examples.length > 0 && {
      defaultTabs: examples.map(({ query, variables }) => ({ query, variables })),
    }),
    defaultEditorToolsVisibility: 'variables',
  });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
}

void fetch('/docs/examples.json')
  .then((answer) => answer.json())
  .then(render);
