import { makeHome, userFolders } from '../../api/files/folders.js';
import { given } from '../../api/given.js';
import { createTrustStore } from '../../api/settings/trust.js';
import { wrapWith } from '../approval/lay-out.js';
import { readTrust, trustQuestion } from '../approval/trust-question.js';
import type { OutputWriter } from '../output/output-writer.js';
import type { PreparedRun } from '../run/prepare-run.js';
import { createTerminalPlace, type TerminalInput } from '../terminal/plain/terminal-place.js';
import { loadTextWidth } from '../output/text-width.js';

/**
 * Ask once whether a folder whose settings wait is trusted. Remember a yes, as `troupe trust` does.
 *
 * @returns undefined if the terminal was closed
 */
export async function askForTrust(
  { waiting, options: { cwd = process.cwd(), env = process.env } }: PreparedRun,
  { input, output }: { readonly input: TerminalInput; readonly output: OutputWriter },
): Promise<'trusted' | 'not trusted' | undefined> {
  const text = await loadTextWidth();
  const place = await createTerminalPlace(input, output).open('', new AbortController().signal);
  const { columns } = place;
  const say = (lines: ReturnType<typeof trustQuestion>): void =>
    place.show(
      lines.flatMap(({ prefix, text: line, style, isWhole }) => {
        const parts = isWhole ? [prefix + line] : wrapWith(prefix, line, { columns, text });
        return parts.map((part) => ({ text: part, ...given({ style }) }));
      }),
    );
  try {
    say(trustQuestion(cwd, waiting));
    for (;;) {
      const typed = await place.nextLine();
      if (typed === undefined) return undefined;
      const isTrusted = readTrust(typed);
      if (isTrusted === undefined) {
        say([
          {
            prefix: '  ',
            text: 'Type the word trust, or press Enter alone to continue without them.',
          },
        ]);
        continue;
      }
      if (!isTrusted) {
        say([
          {
            prefix: '',
            text: 'Not trusted: these settings have no effect. To trust the folder later: troupe trust',
          },
        ]);
        return 'not trusted';
      }
      const { troupe: home } = userFolders(env);
      makeHome(home);
      await createTrustStore(home).trust(cwd);
      say([
        {
          prefix: '',
          text: 'Troupe trusts this folder and all below it. To undo this: troupe trust --remove',
        },
      ]);
      return 'trusted';
    }
  } finally {
    place.close();
  }
}
