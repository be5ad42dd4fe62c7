import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { compiledCodeFolder } from '../../files/compiled-code.js';
import type { Environment } from '../../files/folders.js';

/** Paths below the home folder: keys, tokens, logins, histories. */
const IN_HOME: readonly string[] = [
  '.ssh .gnupg .aws .azure .kube .docker .oci .config/gcloud .config/gh .config/glab-cli .config/op',
  '.config/doctl .config/hub .config/rclone .config/sops .config/git/credentials .git-credentials',
  '.netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .config/pip .pip/pip.conf .gem/credentials',
  '.cargo/credentials .cargo/credentials.toml .m2/settings.xml .m2/settings-security.xml',
  '.gradle/gradle.properties .nuget/NuGet/NuGet.Config .composer/auth.json .terraformrc .terraform.d',
  '.vault-token .password-store .local/share/keyrings .local/share/kwalletd .pki .pgpass .my.cnf',
  '.s3cfg .boto .config/google-chrome .config/chromium .mozilla .thunderbird Library/Keychains',
  '.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history',
  '.claude .claude.json .codex .gemini .config/github-copilot .huggingface .cache/huggingface/token',
].flatMap((line) => line.split(' '));

/** Keys of the machine, and sockets of other programs: of Docker, ssh and gpg agents, the desktop. */
const OF_THE_MACHINE: readonly string[] = [
  '/run /var/run /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d',
  '/etc/ssl/private /etc/kubernetes /var/lib/docker /var/lib/containerd /var/lib/kubelet /var/spool/cron',
].flatMap((line) => line.split(' '));

/** Absolute paths that commands must not see, existing or not. */
export function secretPaths(env: Environment): readonly string[] {
  const home = env['HOME'] || homedir();
  const others = [env['TROUPE_HOME'] || join(home, '.troupe'), env['CLAUDE_CONFIG_DIR']];
  const named = ['DOCKER_CONFIG', 'KUBECONFIG', 'AWS_SHARED_CREDENTIALS_FILE', 'GNUPGHOME'];
  return [
    ...OF_THE_MACHINE.filter((path) => path !== home),
    compiledCodeFolder(), // a command that could write there would run outside at the next start
    ...[home, homedir()].flatMap((one) => IN_HOME.map((path) => join(one, path))),
    ...[...others, ...named.flatMap((name) => env[name]?.split(':'))].flatMap((path) =>
      path === undefined || path === '' ? [] : [resolve(path)],
    ),
  ];
}
