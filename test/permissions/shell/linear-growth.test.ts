import { describe, expect, it } from 'vitest';
import { EVAL_PLACE } from '../../../src/permissions/eval/judge-case.js';
import { analyse } from '../../../src/permissions/shell/analyse.js';
import { findCommandText } from '../../../src/permissions/shell/texts/command-pattern.js';
import { tokenise } from '../../../src/permissions/shell/tokens/tokenise.js';

/** How much of a line rules that deny or ask are matched against, without a second reader. */
function sizeOf(line: string) {
  const { denyTexts, paths } = analyse(line, EVAL_PLACE, undefined);
  return {
    commands: denyTexts.reduce((sum, { starts }) => sum + starts.length, 0),
    characters: denyTexts.reduce((sum, { text }) => sum + text.length, 0),
    paths: paths.length,
  };
}

describe('what is found in a long line', () => {
  const pieces =
    'env |sudo env |sudo -u |nice |timeout 1 |if env |x=$y env |$x |"$x" env |e?v |{a,b} |`x` find . -exec |watch -n 1 |$x eval ';

  it.each(pieces.split('|'))('grows with the line and not with its square: %s…', (piece) => {
    for (const end of ['ls', 'rm $x', '{rm,a} b']) {
      const once = sizeOf(piece.repeat(200) + end);
      const twice = sizeOf(piece.repeat(400) + end);
      expect(once.commands).toBeGreaterThan(200);
      expect(twice.commands).toBeLessThan(2.1 * once.commands);
      expect(twice.characters).toBeLessThan(2.1 * once.characters);
    }
  });

  it('is every command of a chain of wrappers, however long', () => {
    const { denyTexts } = analyse(`${'sudo env '.repeat(500)}rm $x b`, EVAL_PLACE, undefined);
    expect(findCommandText('rm *', denyTexts)).toBe('rm $x b');
    expect(findCommandText('env rm *b', denyTexts)).toBe('env rm $x b');
    expect(findCommandText('rm b', denyTexts)).toBe('rm b');
    expect(findCommandText('rm x*', denyTexts)).toBeUndefined();
  });

  it.each(['${$(', 'echo a ${$(', '$(${', '${x:-$('])(
    'stays below its square if substitutions do not close: %s…',
    (piece) => {
      const size = (count: number): number => sizeOf(`${piece.repeat(count)}rm x`).characters;
      expect(size(400)).toBeLessThan(3 * size(200));
    },
  );

  it('is every choice of braces, or some of them if there are more than there may be paths', () => {
    const choices = (name: string, count: number): string =>
      `{${Array.from({ length: count }, (_, index) => name + String(index)).join(',')}}`;
    const found = (count: number) => {
      const line = `cat ${choices('a', 60)}${choices('b', count)}`;
      const { paths, hasUnseenPaths } = analyse(line, EVAL_PLACE, undefined);
      return { paths: paths.length, hasUnseenPaths };
    };
    expect(found(190)).toEqual({ paths: 11_400, hasUnseenPaths: false });
    expect(found(900)).toEqual({ paths: 64, hasUnseenPaths: true });
  });
});

describe('the words of a long line', () => {
  it.each(['a #\n', '[ a ]; #\n', 'cat <<E\nx\nE\n'])(
    'are read in time that grows with the line and not with its square: %j…',
    (piece) => {
      const line = piece.repeat(200_000 / piece.length);
      const from = process.cpuUsage();
      expect(tokenise(line).problem).toBeUndefined();
      const { user, system } = process.cpuUsage(from); // other programs do not count
      expect(user + system).toBeLessThan(1_500_000); // 50,000 is usual
    },
  );
});
