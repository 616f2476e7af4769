import type { Templates } from './label-errors.ts';

/** Lines of system logs, which parsers of logs are measured on: many have words for values, and no fingerprint of errors is made for them. */
export const FOREIGN_LINES: Templates = {
  'sshd: password': 'sshd[‹n›]: Failed password for ⟦invalid user ‹user›|root⟧ from ‹ip› port ‹port› ssh2',
  'sshd: closed':
    'sshd[‹n›]: ⟦Connection closed by ‹ip›|Received disconnect from ‹ip›: 11: Bye Bye|Did not receive identification string from ‹ip›⟧ [preauth]',
  'sshd: pam':
    'sshd[‹n›]: pam_unix(sshd:⟦auth|session⟧): ⟦authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=‹ip›|session opened for user ‹user› by (uid=‹n›)⟧',
  'sshd: break in': 'sshd[‹n›]: reverse mapping checking getaddrinfo for ‹hex6›.example.net [‹ip›] failed',
  'disk: block':
    '‹date› ‹time› INFO dfs.DataNode$⟦PacketResponder: PacketResponder ‹n› for block blk_‹signed› terminating|DataXceiver: Receiving block blk_‹signed› src: /‹ip›:‹port› dest: /‹ip›:‹port›|PacketResponder: Received block blk_‹signed› of size ‹n› from /‹ip›⟧',
  'disk: name system':
    '‹date› ‹time› INFO dfs.FSNamesystem: BLOCK* ⟦NameSystem.addStoredBlock: blockMap updated: ‹ip›:‹port› is added to blk_‹signed› size ‹n›|NameSystem.delete: blk_‹signed› is added to invalidSet of ‹ip›:‹port›|ask ‹ip›:‹port› to replicate blk_‹signed› to datanode(s) ‹ip›:‹port›⟧',
  'web server: worker':
    '[‹longDate›] [⟦notice|error|error⟧] ⟦jk2_init() Found child ‹n› in scoreboard slot ‹n›|mod_jk child workerEnv in error state ‹n›|[client ‹ip›] Directory index forbidden by rule: /var/www/html/⟧',
  'cluster: task':
    "‹date› ‹time› INFO ⟦executor.Executor: Finished task ‹float› in stage ‹float› (TID ‹n›). ‹n› bytes result sent to driver|storage.BlockManager: Found block rdd_‹n›_‹n› locally|storage.MemoryStore: Block broadcast_‹n› stored as values in memory (estimated size ‹bytes›, free ‹bytes›)|output.FileOutputCommitter: Saved output of task 'attempt_‹n›_‹n›_m_‹n›_‹n›' to hdfs://‹ip›:‹port›/data/out/‹n›⟧",
  kernel:
    'kernel: ⟦usb ‹n›-‹n›: new high-speed USB device number ‹n› using xhci_hcd|Out of memory: Killed process ‹n› (java) total-vm:‹n›kB|EXT4-fs (sda‹n›): mounted filesystem with ordered data mode|TCP: request_sock_TCP: Possible SYN flooding on port ‹port›. Sending cookies.⟧',
  'system: session':
    'systemd[‹n›]: ⟦Started Session ‹n› of user ‹user›.|Stopped target Timers.|nginx.service: Main process exited, code=exited, status=‹n›/FAILURE⟧',
  'queue: election':
    '‹date› ‹time› - ⟦WARN  [SendWorker:‹n›:QuorumCnxManager$SendWorker@‹n›] - Interrupted while waiting for message on queue|INFO  [/‹ip›:‹port›:NIOServerCnxn$Factory@‹n›] - Accepted socket connection from /‹ip›:‹port›|INFO  [QuorumPeer[myid=‹n›]/‹ip›:‹port›:FastLeaderElection@‹n›] - Notification time out: ‹n›⟧',
  'compute: instance':
    '‹date› ‹time› ‹n› INFO nova.compute.manager [req-‹uuid› ‹hex8› - - -] [instance: ‹uuid›] ⟦VM Started (Lifecycle Event)|Took ‹float› seconds to build instance.|Terminating instance⟧',
  'proxy: request':
    '[‹time›] ⟦chrome.exe|Dropbox.exe⟧ - proxy.example.net:5070 ⟦close, ‹n› bytes sent, ‹n› bytes received, lifetime ‹time›|open through proxy proxy.example.net:5070 HTTPS⟧',
};
