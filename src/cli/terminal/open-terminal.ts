import { userFolders } from '../../api/files/folders.js';
import type { Environment } from '../../api/types.js';
import type { KeyboardInput } from './plain/line-editor.js';
import { isPlain } from '../output/is-plain.js';
import type { OutputWriter } from '../output/output-writer.js';
import { lateTextWidth, loadTextWidth } from '../output/text-width.js';
import type { ScreenEvents, Terminal } from './screen/terminal.js';

/**
 * Open the terminal of a session: with a live region, or plain lines for a screen reader and for a terminal that cannot
 * move its cursor.
 */
export async function openTerminal({
  input,
  output,
  cwd,
  env,
  ...events
}: ScreenEvents & {
  readonly input: KeyboardInput;
  readonly output: OutputWriter;
  readonly cwd: string;
  readonly env: Environment;
}): Promise<Terminal> {
  if (isPlain(env)) {
    const { createLineEditor } = await import('./plain/line-editor.js');
    const width = await loadTextWidth();
    return createLineEditor({ input, output, width, ...events });
  }
  const [{ createInkTerminal }, { openHistory }] = await Promise.all([
    import('./ink/ink-terminal.js'),
    import('./editor/prompt-history.js'),
  ]);
  const history = openHistory(userFolders(env).troupe, cwd);
  return createInkTerminal({
    input,
    output,
    width: lateTextWidth(),
    history,
    cwd,
    env,
    editor: env['VISUAL'] || env['EDITOR'] || undefined,
    hasColours: !env['NO_COLOR'],
    ...events,
  });
}
