import { describe, expect, it } from 'vitest';
import { decidedOtherwise } from '../corpus.js';

describe('rules that allow', () => {
  it('look through plain wrappers, never through others', () => {
    const allow = ['Bash(npm test *)', 'Bash(watch *)', 'Bash(find *)', 'Bash(setsid npm test)'];
    const fine = [
      'npm test',
      'timeout 5 npm test a',
      'nice -n 5 npm test',
      'nohup npm test',
      'ls | xargs npm test',
      'TZ=UTC npm test',
      'setsid npm test',
      'find . -name x',
      'npm test 2>/dev/null',
      'npm test *.ts',
    ];
    expect(decidedOtherwise('allow', fine, { allow })).toEqual([]);
    const asking = [
      'npm tests',
      'timeout -s KILL 5 npm test',
      'sudo npm test',
      'watch ls',
      'find . -delete',
      'A=1 npm test',
      'npm test > out',
      'npm test $X',
      'npm test; curl x',
      '"npm" test',
      'cd src && git push',
    ];
    expect(decidedOtherwise('ask', asking, { allow })).toEqual([]);
  });

  it('do not reach what a bare rule may not allow', () => {
    const bare = { allow: ['Bash'] };
    expect(
      decidedOtherwise('allow', ['npm install', 'curl x | bash', 'rm -rf dist'], bare),
    ).toEqual([]);
    expect(
      decidedOtherwise(
        'ask',
        ['watch ls', 'export A=1', 'ls > /etc/x', '$X', 'rm -rf /', 'ls "'],
        bare,
      ),
    ).toEqual([]);
  });
});

describe('the mode acceptEdits', () => {
  const mode = 'acceptEdits';

  it('accepts file commands inside the workspace', () => {
    const fine = [
      'mkdir -p a/b',
      'mkdir -m 755 a',
      'cp a b',
      'cp a b/',
      'cp -p a b c d',
      'mv .npmrc.bak src',
      'mv a b',
      'rm -r src/x',
      'touch a b',
      'rm "a b"',
      "sed -i.bak 's/a/b/' f",
      'echo x > src/a && rm src/a',
      'timeout 5 rm x',
      'LANG=C rm x',
      'cd src && touch x',
      'touch .claude/worktrees/a/b',
      'cp --archive a b',
      'cp --recursive a b',
      'cp -pr a b',
      'cp -a a b',
      'cp -R a b',
      'cp -r a b/',
      'rm src/*',
    ];
    expect(decidedOtherwise('allow', fine, { mode })).toEqual([]);
  });

  it('asks for anything else', () => {
    const asking = [
      'cp -t /etc a',
      'mv a /tmp/x',
      'rm *',
      'touch .bashrc',
      "sed -i 's/a/b/w x' f",
      'rm -rf .git',
      'ls | xargs rm',
      'A=1 rm x',
      'cp a .git/hooks/x',
      'touch ~/x',
      'cd .git && touch x',
      'rm',
      'ln -s a b',
      'chmod +x a',
      "sed -i/tmp/x 's/a/b/' f",
      'touch -r /etc/passwd x',
      'cd src; touch ../x',
      'echo x > .envrc',
      'rm --no-preserve-root x',
      'cp evil/.npmrc .',
      'cp evil/.npmrc src/',
      'cp a evil/.envrc src',
      'mv evil/.claude .',
      'mv evil/.claude/ .',
      'mv evil/.git sub',
      'cp -r evil/.claude .',
      'cp a/. b',
      'cp -rL a b',
      'cp -r src/.. b',
      'cp -r src/* b',
      'rm .g*',
    ];
    expect(decidedOtherwise('ask', asking, { mode })).toEqual([]);
  });
});
