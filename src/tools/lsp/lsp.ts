import { resolve } from 'node:path';
import { neutralise } from '../../core/text/frame.js';
import { realOf } from '../../files/folders.js';
import { joinPath, normalisePath } from '../../permissions/paths/normalise.js';
import { completeTool } from '../complete-tool.js';
import {
  describeDiagnostic,
  describePlace,
  tellNewErrors,
} from '../files/write/describe-diagnostics.js';
import { readWholeFile } from '../files/access/known-file.js';
import { missingFileError } from '../files/access/missing-file.js';
import { resolveTarget } from '../files/access/resolve-path.js';
import { decodeExactly, detectEncoding } from '../files/content/text-encoding.js';
import type { LspAnswer } from '../capabilities/language-servers.js';
import type { ToolUseFiles } from '../tool-context-groups.js';
import { ToolInputError } from '../tool-input-error.js';
import { withLines } from './lines-of.js';
import { LspError } from './lsp-error.js';
import { LspInput, toQuestion } from './lsp-input.js';
import { LspOutput } from './lsp-output.js';

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Asks the language server of a file about definitions, references, types, symbols and problems. */
export const LspTool = completeTool<typeof LspInput, LspOutput>({
  name: 'LSP',
  shouldDefer: true,
  searchHint: 'definition, references, type, symbols, errors of code by language server',
  inputSchema: LspInput,
  outputSchema: LspOutput,
  isEnabled: ({ hasLanguageServers }) => hasLanguageServers === true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  permissionTarget: ({ filePath }) => ({
    kind: 'paths',
    paths: [{ path: filePath, access: 'read' }],
  }),
  toAutoClassifierInput: describe,
  description: describe,
  prompt: () => PROMPT,

  checkPermissions: ({ filePath }, { files: { cwd, projectRoot: root, languageServers } }) => {
    const path = normalisePath(joinPath(cwd, filePath));
    const program = languageServers?.startsUnasked({ root, path });
    return Promise.resolve(
      program === undefined
        ? { behavior: 'passthrough' }
        : {
            behavior: 'ask',
            message: `it would start ${program}, which runs code of this project and is named by no setting.`,
          },
    );
  },

  validateInput(input) {
    const question = toQuestion(input);
    return Promise.resolve(
      typeof question === 'string' ? { result: false, message: question } : { result: true },
    );
  },

  async call(input, { files, call }) {
    const { signal } = call.abortController;
    signal.throwIfAborted();
    const question = toQuestion(input);
    if (typeof question === 'string') throw new ToolInputError('LSP', question);
    if (files.languageServers === undefined) throw new LspError('no_server', NO_SERVERS);
    const { languageServers: servers, projectRoot: root, cwd } = files;
    const path = await resolveTarget(files, input.filePath, 'read');
    const text = await readText(path, input.filePath, files, signal);
    if ('line' in question) checkLine(question.line, text, path);
    const answer = await servers.ask({ root, path, text, ...question }, signal);
    const found = await readAnswer(answer, files, signal);
    const newMessages = tellNewErrors(servers, cwd);
    return {
      data: { operation: input.operation, filePath: path, ...found },
      ...(newMessages.length > 0 && { newMessages }),
    };
  },

  mapToolResultToToolResultBlockParam: ({ result }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: neutralise(result),
  }),
});

function describe({ operation, filePath, line, character, query }: LspInput): string {
  const place = [filePath, line, character].filter((part) => part !== undefined).join(':');
  return `${operation} ${query === undefined ? place : `"${query}" in ${place}`}`;
}

async function readText(
  path: string,
  given: string,
  { cwd }: Pick<ToolUseFiles, 'cwd'>,
  signal: AbortSignal,
): Promise<string> {
  const file = await readWholeFile(path, signal);
  if (file === undefined) throw await missingFileError(resolve(cwd, given), cwd);
  const { bytes } = file;
  const text = decodeExactly(bytes, detectEncoding(bytes));
  if (text !== undefined && bytes.length <= MAX_FILE_BYTES) return text;
  const why = text === undefined ? 'is not text' : `has more than ${MAX_FILE_BYTES} bytes`;
  throw new ToolInputError('LSP', `${path} ${why}, which is nothing for a language server.`);
}

function checkLine(line: number, text: string, path: string): void {
  const lines = text.split('\n').length;
  if (line <= lines) return;
  throw new ToolInputError('LSP', `${path} has ${lines} lines, so it has no line ${line}.`);
}

type Found = Omit<LspOutput, 'operation' | 'filePath'>;

async function readAnswer(
  answer: LspAnswer,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<Found> {
  const folder = realOf(files.cwd);
  switch (answer.kind) {
    case 'locations': {
      const locations = await withLines(answer.locations, files, signal);
      const lines = locations.map(
        (one) => `${describePlace(one, folder)}${one.text === undefined ? '' : `: ${one.text}`}`,
      );
      return { ...counted(locations, lines, NOTHING_HERE), locations: [...locations] };
    }
    case 'hover': {
      const { text } = answer;
      const resultCount = text === '' ? 0 : 1;
      return { result: text || NOTHING_HERE, resultCount, fileCount: resultCount, hover: text };
    }
    case 'symbols': {
      const { symbols } = answer;
      const lines = symbols.map((one) => {
        const within = one.depth > 0 || one.container === undefined ? '' : ` in ${one.container}`;
        return `${'  '.repeat(one.depth)}${one.kind} ${one.name}${within} ${describePlace(one, folder)}`;
      });
      return { ...counted(symbols, lines, 'No symbols were found.'), symbols: [...symbols] };
    }
    case 'diagnostics': {
      const { diagnostics, isPartial } = answer;
      const lines = diagnostics.map((one) => describeDiagnostic(one, folder));
      const note = isPartial ? ['[The server has not finished: ask again later.]'] : [];
      const found = counted(diagnostics, [...lines, ...note], 'The server finds no problems.');
      return { ...found, diagnostics: [...diagnostics], isPartial };
    }
    default:
      return answer satisfies never;
  }
}

function counted(
  all: readonly { readonly path: string }[],
  lines: readonly string[],
  nothing: string,
): Pick<Found, 'result' | 'resultCount' | 'fileCount'> {
  return {
    result: lines.length === 0 ? nothing : lines.join('\n'),
    resultCount: all.length,
    fileCount: new Set(all.map(({ path }) => path)).size,
  };
}

const NOTHING_HERE =
  'The server knows nothing about this place. Give the line and character at which the symbol begins.';
const NO_SERVERS = 'There are no language servers here. Use Grep and Read instead.';

const PROMPT = `Asks a language server about code. It knows types and scopes, so it is more exact than a search for text. The server of the file's language is started with the first call, which can take some seconds.

- goToDefinition, goToImplementation: the place of the definition or of the implementations of the symbol at a place.
- findReferences: every use of the symbol at a place, its definition included. Use it before you rename or change something.
- hover: type and documentation of the symbol at a place.
- incomingCalls, outgoingCalls: the calls of the function at a place, and the functions that it calls; prepareCallHierarchy names the function.
- documentSymbol: the functions, classes and variables of a file.
- workspaceSymbol: the symbols of the whole project whose name contains query; filePath is any file of the language.
- diagnostics: errors and warnings in a file, as the compiler or linter reports them.

A place is filePath with line and character, both counted from 1: the line number that Read shows, and a character of the symbol's name in that line. Results are paths with line and character.
Once a server runs, new errors in files that you change with Edit, MultiEdit or Write come beside the result of the change.
If there is no server for a file, use Grep and Read.`;
