// Puts the page of `plan -o html` together: one file, whose policy allows its own style and script and nothing else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').trim();
const source = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the page as JSON: what stands before the data of a plan, and behind it. */
export function planPage() {
  const [style, script] = [read('page.css'), read('page.js')];
  const policy = `default-src 'none'; style-src ${source(style)}; script-src ${source(script)}; base-uri 'none'; form-action 'none'`;
  const start = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>render-rgd plan</title>
<style>${style}</style>
</head>
<body>
<header><h1 id="summary">render-rgd plan</h1></header>
<main id="main"><noscript>This page shows the plan with JavaScript, which is switched off.</noscript></main>
<script type="application/json" id="plan">`;
  const end = `</script>\n<script>${script}</script>\n</body>\n</html>\n`;
  return `${JSON.stringify({ start, end }, null, 2)}\n`;
}
