/** What of a body the server would refuse: fields that the schema has not, at any depth. */
import schema from "../api/schema.json";

interface Shape {
  readonly $ref?: string;
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
}

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

const PATHS = schema.paths as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>;
const SHAPES = schema.components.schemas as unknown as Readonly<Record<string, Shape>>;

function isLike(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => part.startsWith("{") || part === given[place])
  );
}

function describe(method: string, path: string): Described | undefined {
  // An address without names comes before one with: "/judges/new" is not "/judges/{id}".
  const found = PATHS[path] ?? PATHS[Object.keys(PATHS).find((template) => isLike(template, path)) ?? ""];
  return found?.[method.toLowerCase()];
}

function resolve(shape: Shape): Shape {
  if (shape.$ref) return resolve(SHAPES[shape.$ref.split("/").at(-1) ?? ""] ?? {});
  return shape.allOf?.[0] ? resolve(shape.allOf[0]) : shape;
}

function unknownIn(body: unknown, given: Shape, way: string): string[] {
  const { items, properties } = resolve(given);
  if (Array.isArray(body) && items) {
    return body.flatMap((part, place) => unknownIn(part, items, `${way}[${place}]`));
  }
  if (typeof body !== "object" || body === null || !properties) return [];
  return Object.entries(body).flatMap(([name, part]) => {
    const shape = properties[name];
    return shape ? unknownIn(part, shape, `${way}.${name}`) : [`${way}.${name}`];
  });
}

export function unknownFields(method: string, path: string, body: unknown): string[] {
  const content = describe(method, path)?.requestBody?.content;
  if (!content || body === null) return [];
  const shape = content["application/json"]?.schema;
  return shape ? unknownIn(body, shape, `${method} ${path}: body`) : [];
}
