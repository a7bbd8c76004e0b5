/** An image with our type and colours. */
export function svg(width: number, height: number, label: string, content: readonly string[]) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<style>${style}</style>
${content.join('\n')}
</svg>
`;
}

export function text(x: number, y: number, content: string, kind: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${escaped}</text>`;
}

// Readable on white and on black.
const style = `
text { font: 12px system-ui, sans-serif; fill: #57606a }
.title { font-size: 15px; font-weight: 600 }
.case { font-size: 13px; font-weight: 600 }
.name { text-anchor: end }
.middle { text-anchor: middle }
.own { font-weight: 700 }
.accord { fill: #1f7a5c }
.peer { fill: #9aa4af }
.floor { fill: none; stroke: #9aa4af; stroke-dasharray: 3 2 }
.database { opacity: 0.45 }
.axis { stroke: #9aa4af; stroke-width: 0.5 }
.curve { fill: none; stroke-width: 2 }
.first { stroke: #1f7a5c } .second { stroke: #b3541e } .third { stroke: #3867a8 }
@media (prefers-color-scheme: dark) {
  text { fill: #adb6c0 }
  .accord { fill: #35b88c }
  .peer { fill: #6b7681 }
  .floor { stroke: #6b7681 }
  .first { stroke: #35b88c } .second { stroke: #e0894f } .third { stroke: #7ba6e0 }
}
`;
