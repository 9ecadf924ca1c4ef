/** The built versions, unless the environment names other releases. */
export const versions = {
  kro: process.env.KRO ?? 'v0.9.4',
  kubernetes: process.env.KUBERNETES ?? 'v1.37.0',
  etcd: process.env.ETCD ?? 'v3.6.11',
};
