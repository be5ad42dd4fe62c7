import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type {
  LspDiagnostic,
  LspLocation,
  LspSeverity,
  LspSymbol,
} from '../../tools/capabilities/language-servers.js';
import { given } from '../../core/json/given.js';

/** Most entries of one answer that are read. */
const MOST_ENTRIES = 2_000;
/** Most characters of one text of a server. */
const MOST_CHARS = 20_000;
const SHORT_CHARS = 2_000;

const Position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });
const Range = z.object({ start: Position, end: Position });
type Range = z.infer<typeof Range>;

const text = (most: number) => z.string().transform((all) => cut(all, most));
const entries = <Entry extends z.ZodType>(entry: Entry) =>
  z.preprocess((all) => (Array.isArray(all) ? all.slice(0, MOST_ENTRIES) : all), z.array(entry));

const Location = z
  .object({ uri: z.string(), range: Range })
  .transform(({ uri, range }) => locationOf(uri, range));
const LocationLink = z
  .object({ targetUri: z.string(), targetSelectionRange: Range })
  .transform(({ targetUri, targetSelectionRange }) => locationOf(targetUri, targetSelectionRange));
const AnyLocation = z.union([LocationLink, Location]);

/** The answer about definitions, implementations or references. */
export const Locations = z.union([
  z.null().transform((): readonly LspLocation[] => []),
  entries(AnyLocation),
  AnyLocation.transform((one): readonly LspLocation[] => [one]),
]);

const MarkedString = z.union([
  z.string(),
  z
    .object({ language: z.string(), value: z.string() })
    .transform(({ language, value }) => `\`\`\`${language}\n${value}\n\`\`\``),
]);
const Contents = z.union([
  MarkedString,
  z.object({ kind: z.string(), value: z.string() }).transform(({ value }) => value),
  z.array(MarkedString).transform((parts) => parts.join('\n\n')),
]);

/** The answer about a place: Markdown or plain text, empty if the server knows nothing. */
export const Hover = z.union([
  z.null().transform(() => ''),
  z.object({ contents: Contents }).transform(({ contents }) => cut(contents.trim(), MOST_CHARS)),
]);

type DocumentSymbol = {
  readonly name: string;
  readonly kind: number;
  readonly selectionRange: Range;
  readonly children?: readonly DocumentSymbol[] | undefined;
};
const DocumentSymbol: z.ZodType<DocumentSymbol> = z.lazy(() =>
  z.object({
    name: text(SHORT_CHARS),
    kind: z.int(),
    selectionRange: Range,
    children: z.array(DocumentSymbol).optional(),
  }),
);
const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const SymbolInformation = z
  .object({
    name: text(SHORT_CHARS),
    kind: z.int(),
    location: z.object({ uri: z.string(), range: Range.optional() }),
    containerName: text(SHORT_CHARS).nullish(),
  })
  .transform(({ name, kind, location: { uri, range = START }, containerName }): LspSymbol => ({
    ...locationOf(uri, range),
    name,
    kind: kindOf(kind),
    depth: 0,
    ...given({ container: containerName || undefined }),
  }));

/** The answer about the symbols of the whole project. */
export const WorkspaceSymbols = z.union([
  z.null().transform((): readonly LspSymbol[] => []),
  entries(SymbolInformation),
]);

/** The answer about the symbols of a file, each before those in it. */
export function documentSymbols(path: string): z.ZodType<readonly LspSymbol[]> {
  return z.union([
    WorkspaceSymbols,
    entries(DocumentSymbol).transform((all) => flatten(all, path).slice(0, MOST_ENTRIES)),
  ]);
}

const CallItem = z.looseObject({
  name: text(SHORT_CHARS),
  kind: z.int(),
  uri: z.string(),
  selectionRange: Range,
});
/** A function, as the server wants it back in questions about its calls. */
export type CallItem = z.infer<typeof CallItem>;

/** The answer about the function at a place. */
export const CallItems = z.union([
  z.null().transform((): readonly CallItem[] => []),
  entries(CallItem),
]);

/** The answer about the callers of a function: a symbol for each call, at the place of the call. */
export const IncomingCalls = z.union([
  z.null().transform((): readonly LspSymbol[] => []),
  entries(z.object({ from: CallItem, fromRanges: entries(Range) })).transform((calls) =>
    calls.flatMap(({ from, fromRanges }) => fromRanges.map((range) => symbolOfCall(from, range))),
  ),
]);

/** The answer about the functions that a function calls, at their definitions. */
export const OutgoingCalls = z.union([
  z.null().transform((): readonly LspSymbol[] => []),
  entries(z.object({ to: CallItem })).transform((calls) => calls.map(({ to }) => symbolOfCall(to))),
]);

const Diagnostic = z
  .object({
    range: Range,
    severity: z.int().optional(),
    code: z.union([z.string(), z.number()]).nullish(),
    source: text(SHORT_CHARS).nullish(),
    message: z.union([z.string(), z.object({ value: z.string() }).transform((one) => one.value)]),
  })
  .transform(toDiagnostic);
/** A diagnostic without the path of its file. */
export type FoundDiagnostic = Omit<LspDiagnostic, 'path'>;

/** The notification that a server has looked at a file. */
export const PublishedDiagnostics = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: entries(Diagnostic),
});

/** The answer about the problems of a file; `unchanged` if no previous answer was named, which no server may send. */
export const PulledDiagnostics = z.object({ kind: z.literal('full'), items: entries(Diagnostic) });

const CompilerPosition = z
  .object({ line: z.int().positive(), offset: z.int().positive() })
  .transform(({ line, offset }) => ({ line: line - 1, character: offset - 1 }));
const CompilerDiagnostic = z
  .object({
    start: CompilerPosition,
    end: CompilerPosition,
    text: z.string(),
    code: z.int().optional(),
    category: z.string(),
  })
  .transform(({ start, end, text: message, code, category }) =>
    toDiagnostic({
      range: { start, end },
      severity: category === 'error' ? 1 : 2,
      code,
      source: 'typescript',
      message,
    }),
  );

/** The answer of the TypeScript compiler about a file. */
export const CompilerDiagnostics = z
  .object({ body: entries(CompilerDiagnostic) })
  .transform(({ body }) => body);

const ServerCapabilities = z.looseObject({
  diagnosticProvider: z.unknown().optional(),
  executeCommandProvider: z.looseObject({ commands: z.array(z.string()).optional() }).nullish(),
});
/** The capabilities of a server on which requests depend. */
export type ServerCapabilities = z.infer<typeof ServerCapabilities>;

export const InitializeResult = z.object({ capabilities: ServerCapabilities });

/** The path of a file URI; any other URI as it is. */
export function pathOfUri(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return cut(uri, SHORT_CHARS);
  }
}

function locationOf(uri: string, range: Range): LspLocation {
  return { path: pathOfUri(uri), ...toPassage(range) };
}

function toPassage({ start, end }: Range): Omit<LspLocation, 'path'> {
  return {
    line: start.line + 1,
    character: start.character + 1,
    endLine: end.line + 1,
    endCharacter: end.character + 1,
  };
}

/** @param range the place; the name of the function if absent */
export function symbolOfCall(
  { name, kind, uri, selectionRange }: CallItem,
  range = selectionRange,
): LspSymbol {
  return { ...locationOf(uri, range), name, kind: kindOf(kind), depth: 0 };
}

function toDiagnostic({
  range,
  severity = 1,
  code,
  source,
  message,
}: {
  readonly range: Range;
  readonly severity?: number | undefined;
  readonly code?: string | number | null | undefined;
  readonly source?: string | null | undefined;
  readonly message: string;
}): FoundDiagnostic {
  return {
    ...toPassage(range),
    severity: SEVERITIES[severity - 1] ?? 'error',
    message: cut(message, SHORT_CHARS),
    ...given({
      code: code === undefined || code === null ? undefined : cut(String(code), SHORT_CHARS),
      source: source ?? undefined,
    }),
  };
}

function flatten(
  symbols: readonly DocumentSymbol[],
  path: string,
  depth = 0,
  container?: string,
): readonly LspSymbol[] {
  return symbols.flatMap(({ name, kind, selectionRange, children = [] }) => [
    {
      path,
      ...toPassage(selectionRange),
      name,
      kind: kindOf(kind),
      depth,
      ...given({ container }),
    },
    ...flatten(children, path, depth + 1, name),
  ]);
}

function cut(all: string, most: number): string {
  return all.length > most ? `${all.slice(0, most)}…` : all;
}

const SEVERITIES: readonly LspSeverity[] = ['error', 'warning', 'information', 'hint'];

const KINDS = (
  'File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant ' +
  'String Number Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter'
).split(' ');

function kindOf(kind: number): string {
  return KINDS[kind - 1] ?? 'Symbol';
}
