import { describe, expect, it } from 'vitest';
import { seemsDestructive } from '../../../src/tools/shell/destroys.js';

describe('a command line seems to destroy something', () => {
  it.each([
    'rm -rf build',
    'cd build && rm *.o',
    'find . -name "*.o" | xargs rm',
    'if true; then /bin/rm a; fi',
    'git reset --hard HEAD~1',
    'git -C sub clean -fd',
    'git push origin main --force',
    'git push -f',
    'git branch -D old',
    'git checkout -- .',
    'sudo dd if=/dev/zero of=/dev/sda',
    'kill 1',
  ])('%s', (command) => expect(seemsDestructive(command)).toBe(true));

  it.each([
    'rmdir-list',
    'npm run rm',
    'echo harm',
    'git push',
    'git reset HEAD a',
    'git checkout main',
    'ls',
  ])('but not: %s', (command) => expect(seemsDestructive(command)).toBe(false));

  it.each([
    ['arguments of git', 'git push a '.repeat(20_000)],
    ['options of git', `git ${'-C '.repeat(50_000)}`],
    ['operators', ';'.repeat(50_000)],
    ['empty lines', '\n'.repeat(50_000)],
    ['commands of git', 'sudo git reset a '.repeat(20_000)],
  ])('is decided at once for a long line of %s', (_name, command) => {
    const start = performance.now();
    expect(seemsDestructive(command)).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
