import { z } from 'zod';
import { PermissionBehavior, PermissionMode } from '../../core/permission-types.js';

const rules = z.array(z.string()).default([]);
const texts = z.record(z.string(), z.string());

const Common = z.object({
  id: z.string(),
  mode: PermissionMode.default('default'),
  allow: rules,
  deny: rules,
  ask: rules,
  expect: PermissionBehavior,
});

/** A command line of Bash. */
const ShellCase = z.object({ ...Common.shape, command: z.string() });
/** One path, and the links that are on the way: link → target. */
const PathCase = z.object({
  ...Common.shape,
  tool: z.enum(['Read', 'Edit', 'Write', 'NotebookEdit']),
  path: z.string(),
  symlinks: texts.default({}),
  additional: rules,
});
/** One address, what its host and those of its redirects resolve to, and where it leads on. */
const WebCase = z.object({
  ...Common.shape,
  url: z.string(),
  resolves: z.record(z.string(), z.array(z.string())).default({}),
  redirects: z.array(z.string()).default([]),
});

/** One expectation of what rules decide. Which kind it is, its fields tell; fields that are not named are left alone. */
export type EvalCase =
  | ({ readonly kind: 'shell' } & z.infer<typeof ShellCase>)
  | ({ readonly kind: 'path' } & z.infer<typeof PathCase>)
  | ({ readonly kind: 'web' } & z.infer<typeof WebCase>);

type ReadCase =
  | { readonly ok: true; readonly value: EvalCase }
  | { readonly ok: false; readonly message: string };

/** Reads one line of a file of cases. */
export function readEvalCase(line: string): ReadCase {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return bad(`this is not JSON: ${(error as Error).message}`); // what JSON.parse throws
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return bad('a case is a JSON object');
  if ('command' in json) return read('shell', ShellCase, json);
  if ('url' in json) return read('web', WebCase, json);
  if ('path' in json) return read('path', PathCase, json);
  return bad('a case has a "command", a "path" with its "tool", or a "url"');
}

function read<Kind extends EvalCase['kind'], Schema extends z.ZodObject>(
  kind: Kind,
  schema: Schema,
  json: object,
): ReadCase {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return bad(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  return { ok: true, value: { kind, ...parsed.data } as unknown as EvalCase }; // the schema of its kind
}

function bad(message: string): ReadCase {
  return { ok: false, message };
}
