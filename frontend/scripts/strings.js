/** Prints all English texts of the pages for `tools/strings.py`: values in {braces}, choices in [a|b]. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/** Made from the server's words, or what tests of pages share. */
const LEFT_OUT = /\.test\.|\.d\.ts$|\/src\/(test|locales)\/|\/api\/(figures|terms|annotators-terms)\.ts$/;
/** What these are given is read by programs, and so are attributes and fields of these names. */
const CODED_CALLS =
  /^(read\w*|post|put|patch|del|keyOf|\w*[qQ]uery\w*|closest|matches|includes|(starts|ends)With|replace(All)?|split|\w+(Item|Attribute|EventListener)|createElement\w*|matchMedia|RegExp|\w*Error|log|warn|error)$/;
const CODED_NAMES =
  /^(\w*[cC]lassName|style|to|from|href|src|id|key|type|role|rel|target|viewBox|d|fill|stroke|transform|path|page|lang|accept|pattern|autoComplete|inputMode|variant|tone|size|method|headers|Accept|see|queryKey|font\w*|(aria-)?key\w+)$/;
/** Under these even a word in small letters is a text. */
const TEXTUAL =
  /^(label|title|caption|hint|placeholder|alt|aria-label|summary|empty|note|lead|about|confirm|cancel|legend|words|noun|things?|unit|header|text)$/;
const CODE =
  /^\s*[./#]\w|^\S*\/$|https?:\/\/\S+$|var\(--|^[\d.]+(px|rem|em|%|s|ms)\b|^([a-z]+[A-Z]\w*|[A-Z]{2,}_\w*|[A-Z][a-z]+[A-Z]\w*|\w+[-+]([A-Z]\w*)+)$/;

const bare = (text) => text.replaceAll(/\{[^{}]*\}/g, "");
const isSaid = (text) => /\p{L}{2}|\p{L}[ .,]/u.test(bare(text));
/** Whether people read a text that stands where codes may stand, too. */
const isForPeople = (text) => isSaid(text) && /\s|\p{Lu}|…/u.test(bare(text)) && !CODE.test(text);
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** What a value is called where it stands in braces. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) && node.name.text !== "length") return node.name.text;
  if (ts.isJsxSelfClosingElement(node)) return nameOf(node.tagName);
  if (!ts.isCallExpression(node)) return node.expression ? nameOf(node.expression) : "…";
  const called = nameOf(node.expression);
  return /^(format|String|to[A-Z])/.test(called) && node.arguments[0] ? nameOf(node.arguments[0]) : called;
}

const isSaying = (call) => /^(t|rich)$/.test(nameOf(call.expression)) && isText(call.arguments[0]);

/** A node as people read it; `later` gets what is only named, in which other texts may stand. */
function render(node, later) {
  const all = (...nodes) => nodes.map((each) => (each ? render(each, later) : "")).join("");
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, "");
  if (ts.isTemplateExpression(node)) return node.head.text + all(...node.templateSpans);
  if (ts.isTemplateSpan(node)) return all(node.expression) + node.literal.text;
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return all(node.expression);
  if (node.openingElement) later.push(node.openingElement.attributes);
  if (node.children) return all(...node.children);
  if (ts.isConditionalExpression(node)) return `[${all(node.whenTrue)}|${all(node.whenFalse)}]`;
  if (ts.isBinaryExpression(node)) {
    const sign = node.operatorToken.getText();
    if (sign === "+") return all(node.left, node.right);
    later.push(node.left);
    if (sign === "&&") return `[${all(node.right)}]`;
    if (sign === "??" || sign === "||") return `[{${nameOf(node.left)}}|${all(node.right)}]`;
  }
  if (ts.isCallExpression(node)) {
    const called = nameOf(node.expression);
    const [first, second, third] = node.arguments;
    if (called === "plural") return `[${all(second)}|${all(third)}]`;
    if (called === "countOf")
      return `{${nameOf(first)}} ${third ? `[${all(second)}|${all(third)}]` : `${all(second)}s`}`;
    later.push(...node.arguments.slice(isSaying(node) ? 1 : 0));
    return isSaying(node) ? all(first) : `{${nameOf(node)}}`;
  }
  later.push(node);
  return /^(null|undefined)$/.test(node.getText()) ? "" : `{${nameOf(node)}}`;
}

/** All texts of a source: the line of each, and what it says. */
export function textsIn(source) {
  const found = [];
  const say = (node, isSurely) => {
    const later = [];
    const text = render(node, later);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const isKept = isSurely ? isSaid(text) : isForPeople(text);
    if (isKept) found.push({ line, text: text.replaceAll(/\s+/g, " ").trim() });
    later.forEach(visit);
  };
  const visitOthers = (...nodes) => nodes.filter((each) => !isText(each)).forEach(visit);
  function visit(node) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isText(node)) return say(node, false);
    const hasWords = (child) => ts.isJsxText(child) && isSaid(child.text);
    if (node.children?.some(hasWords)) return say(node, true);
    if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) {
      const [name, value] = [node.name.getText(), node.initializer];
      if (/ /.test(name)) visit(node.name);
      if (!value || (CODED_NAMES.test(name) && !/ .*\."$/.test(value.getText()))) return;
      return isText(value) ? say(value, TEXTUAL.test(name)) : visit(value);
    }
    if (ts.isElementAccessExpression(node)) return visitOthers(node.expression, node.argumentExpression);
    if (ts.isCaseClause(node)) return node.statements.forEach(visit);
    if (ts.isBinaryExpression(node)) {
      const sign = node.operatorToken.getText();
      if (/^([!=]==?|in)$/.test(sign)) return visitOthers(node.left, node.right);
      if (sign === "+" && (isText(node.left) || isText(node.right))) return say(node, false);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = nameOf(node.expression);
      if (CODED_CALLS.test(called)) return visitOthers(node.expression, ...(node.arguments ?? []));
      if (called === "plural" || isSaying(node)) return say(node, true);
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found.toSorted((left, right) => left.line - right.line);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = path.dirname(import.meta.dirname);
  const files = ts.sys.readDirectory(path.join(folder, "src"), [".ts", ".tsx"]).toSorted();
  for (const file of files.filter((each) => !LEFT_OUT.test(each))) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const place = `frontend/${path.relative(folder, file)}`;
    textsIn(source).forEach(({ line, text }) => console.log(`${place}:${line}\t${text}`));
  }
}
