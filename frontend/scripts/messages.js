/**
 * Finds every text that the pages say and compares them with the catalogs in src/locales: fails where one lacks
 * a text or has one that nobody says. `--write` puts what lacks into the catalogs, empty, and takes out the rest.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";

/** Which argument of a function is the key, and whether the text counts. */
const SAYING = { t: 0, rich: 0, plural: 2 };
const SAYING_MODULE = /(^|\/)i18n\/(t|rich)$/;
const HOLE = /\{\w+\}/g;

/** @typedef {{ text: string, counts: boolean, place: string }} Message */

/** The names by which a file calls the functions that say something. */
function namesIn(source) {
  const imports = source.statements.filter(
    (statement) => ts.isImportDeclaration(statement) && SAYING_MODULE.test(statement.moduleSpecifier.text),
  );
  const named = imports.flatMap(({ importClause }) => importClause?.namedBindings?.elements ?? []);
  return new Map(named.map((element) => [element.name.text, (element.propertyName ?? element.name).text]));
}

/** The texts that an expression may be; null where that is not known when the pages are built. */
function textsOf(type) {
  const types = type.isUnion() ? type.types : [type];
  return types.every((one) => one.isStringLiteral()) ? types.map((one) => one.value) : null;
}

function callsIn(source, names) {
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = names.get(node.expression.text);
      if (name !== undefined && name in SAYING) found.push({ name, node });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Behind what is read exactly so, such as a name in a file, neither stands: the sentence is worded otherwise. */
const MISQUOTED = /”[.,]/;

function saidIn(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)
    ? node.text
    : "";
}

/** Complaints about commas and periods that belong before a closing quotation mark, as American English has it. */
export function misquotedIn(source) {
  const places = [];
  const visit = (node) => {
    if (MISQUOTED.test(saidIn(node))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      places.push(`${path.relative(process.cwd(), source.fileName)}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places.map(
    (place) =>
      `${place} has a comma or period behind a quotation: put it inside, or reword what is quoted exactly`,
  );
}

/** All messages of a program, and complaints about those that cannot be known. */
export function extract(program) {
  const checker = program.getTypeChecker();
  /** @type {Message[]} */
  const messages = [];
  const complaints = [];
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || source.fileName.includes(".test.")) continue;
    if (source.fileName.includes("/src/")) complaints.push(...misquotedIn(source));
    for (const { name, node } of callsIn(source, namesIn(source))) {
      const key = node.arguments[SAYING[name]];
      const texts = key && textsOf(checker.getTypeAtLocation(key));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const place = `${path.relative(process.cwd(), source.fileName)}:${line + 1}`;
      if (!texts) complaints.push(`${place} says a text that is not known when the pages are built`);
      for (const text of texts ?? []) messages.push({ text, counts: name === "plural", place });
    }
  }
  return { messages, complaints };
}

function holesOf(text) {
  return [...new Set(text.match(HOLE) ?? [])].toSorted().join(" ");
}

/** What is wrong with the translation of one message. */
function complaintAbout({ text, counts }, translation, forms) {
  if (translation === undefined) return "lacks";
  if (!counts) {
    if (typeof translation !== "string") return "needs no plural forms for";
    if (translation === "") return "lacks";
    return holesOf(translation) === holesOf(text) ? null : `has other names in braces than`;
  }
  if (typeof translation !== "object") return `needs the forms ${forms.join(", ")} of`;
  const isWrong = (form) => typeof translation[form] !== "string" || translation[form] === "";
  if (forms.some(isWrong)) return `needs the forms ${forms.join(", ")} of`;
  // The form for one may do without its number: "one answer".
  const holes = new Set(text.match(HOLE));
  const said = Object.values(translation).flatMap((form) => form.match(HOLE) ?? []);
  return said.every((hole) => holes.has(hole)) ? null : "has other names in braces than";
}

export function formsOf(language) {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories;
}

/** Complaints about one catalog. */
export function compare(messages, language, catalog) {
  const forms = formsOf(language);
  const known = new Set(messages.map(({ text }) => text));
  const wrong = messages.flatMap((message) => {
    const complaint = complaintAbout(message, catalog.messages[message.text], forms);
    return complaint ? [`${language} ${complaint} ${JSON.stringify(message.text)} (${message.place})`] : [];
  });
  const left = Object.keys(catalog.messages).filter((text) => !known.has(text));
  return [...wrong, ...left.map((text) => `${language} has ${JSON.stringify(text)}, which nobody says`)];
}

/** The catalog with an empty place for each message it lacks, and without what nobody says; sorted. */
export function complete(messages, language, catalog) {
  const empty = Object.fromEntries(formsOf(language).map((form) => [form, ""]));
  const entries = messages.map(({ text, counts }) => [text, catalog.messages[text] ?? (counts ? empty : "")]);
  const byText = ([left], [right]) => (left < right ? -1 : Number(left > right));
  return { ...catalog, messages: Object.fromEntries(entries.toSorted(byText)) };
}

function programOf(folder) {
  const file = path.join(folder, "tsconfig.app.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  return ts.createProgram(fileNames, options);
}

function main() {
  const folder = path.dirname(import.meta.dirname);
  const { messages, complaints } = extract(programOf(folder));
  const locales = path.join(folder, "src", "locales");
  for (const name of readdirSync(locales)) {
    const file = path.join(locales, name);
    const language = path.basename(name, ".json");
    const catalog = JSON.parse(readFileSync(file, "utf8"));
    if (process.argv.includes("--write")) {
      writeFileSync(file, `${JSON.stringify(complete(messages, language, catalog), null, 2)}\n`);
    }
    complaints.push(...compare(messages, language, JSON.parse(readFileSync(file, "utf8"))));
  }
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) {
    console.error("Run `npm run messages -- --write`, then translate what is empty (see CONTRIBUTING.md).");
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
