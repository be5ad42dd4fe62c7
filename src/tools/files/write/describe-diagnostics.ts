import { isAbsolute } from 'node:path';
import { relativeTo } from '../../../permissions/paths/normalise.js';
import { frame } from '../../../core/text/frame.js';
import { realOf } from '../../../files/folders.js';
import type {
  LanguageServers,
  LspDiagnostic,
  LspLocation,
} from '../../capabilities/language-servers.js';
import type { NewMessage } from '../../tool.js';

/** Most new errors of one message. */
const MOST_ERRORS = 10;

/** A location as the model reads it: relative to its folder, a real path, if it is inside. */
export function describePlace(
  { path, line, character }: Pick<LspLocation, 'path' | 'line' | 'character'>,
  folder: string,
): string {
  const shown = isAbsolute(path) ? (relativeTo(folder, path) ?? path) : path;
  return `${shown}:${line}:${character}`;
}

/** Describe a diagnostic in one line. */
export function describeDiagnostic(diagnostic: LspDiagnostic, folder: string): string {
  const { severity, source, code, message } = diagnostic;
  const from = [source, code].filter((part) => part !== undefined).join(' ');
  const words = message.replaceAll(/\s*\n\s*/g, ' ');
  return `${describePlace(diagnostic, folder)} ${severity}${from === '' ? '' : ` (${from})`}: ${words}`;
}

/** The message about errors that the agent was not told yet; empty if there are none. */
export function tellNewErrors(
  servers: LanguageServers | undefined,
  cwd: string,
): readonly NewMessage[] {
  const errors = servers?.newErrors() ?? [];
  if (errors.length === 0) return [];
  const folder = realOf(cwd);
  const lines = errors.slice(0, MOST_ERRORS).map((one) => describeDiagnostic(one, folder));
  const more = errors.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more: use LSP diagnostics.`);
  const intro = 'A language server finds new errors in files that you have changed:';
  return [{ role: 'user', content: `${intro}\n${frame('new-errors', {}, lines.join('\n'))}` }];
}
