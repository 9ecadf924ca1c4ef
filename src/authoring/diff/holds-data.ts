import { publicText, type Text } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { getAt, type Value } from '../../core/model/value.ts';

/** A kind whose objects hold data that is lost when they are deleted. */
interface DataKind {
  kinds: string;
  /** `*` stands for any text without a dot. */
  group: string;
  lost: string;
}

const AWS = 'the AWS resource behind it may be deleted with its data';
const AZURE = 'the Azure resource behind it may be deleted with its data';
const GOOGLE = 'the Google Cloud resource behind it may be deleted with its data';
const VOLUMES = 'its volumes may be deleted with their data';

const KINDS: readonly DataKind[] = [
  // AWS Controllers for Kubernetes
  {
    group: 'rds.services.k8s.aws',
    kinds: 'DBInstance DBCluster GlobalCluster DBSnapshot DBClusterSnapshot',
    lost: AWS,
  },
  { group: 's3.services.k8s.aws', kinds: 'Bucket', lost: AWS },
  { group: 'dynamodb.services.k8s.aws', kinds: 'Table GlobalTable Backup', lost: AWS },
  { group: 'documentdb.services.k8s.aws', kinds: 'DBCluster DBInstance', lost: AWS },
  { group: 'memorydb.services.k8s.aws', kinds: 'Cluster Snapshot', lost: AWS },
  { group: 'elasticache.services.k8s.aws', kinds: 'CacheCluster ReplicationGroup ServerlessCache Snapshot', lost: AWS },
  { group: 'opensearchservice.services.k8s.aws', kinds: 'Domain', lost: AWS },
  { group: 'efs.services.k8s.aws', kinds: 'FileSystem', lost: AWS },
  { group: 'keyspaces.services.k8s.aws', kinds: 'Keyspace Table', lost: AWS },
  { group: 'kafka.services.k8s.aws', kinds: 'Cluster ServerlessCluster', lost: AWS },
  { group: 'mq.services.k8s.aws', kinds: 'Broker', lost: AWS },
  { group: 'sqs.services.k8s.aws', kinds: 'Queue', lost: AWS },
  { group: 'kinesis.services.k8s.aws', kinds: 'Stream', lost: AWS },
  { group: 'kms.services.k8s.aws', kinds: 'Key', lost: 'what the key encrypted cannot be read any more' },
  { group: 'secretsmanager.services.k8s.aws', kinds: 'Secret', lost: AWS },
  { group: 'ecr.services.k8s.aws', kinds: 'Repository', lost: AWS },
  { group: 'cognitoidentityprovider.services.k8s.aws', kinds: 'UserPool', lost: AWS },
  // Crossplane, with cluster-scoped and with namespaced managed resources
  ...['aws.upbound.io', 'aws.m.upbound.io', 'aws.crossplane.io'].flatMap((suffix): DataKind[] => [
    { group: `rds.${suffix}`, kinds: 'Instance Cluster ClusterInstance GlobalCluster DBInstance DBCluster', lost: AWS },
    { group: `database.${suffix}`, kinds: 'RDSInstance', lost: AWS },
    { group: `docdb.${suffix}`, kinds: 'Cluster ClusterInstance', lost: AWS },
    { group: `neptune.${suffix}`, kinds: 'Cluster ClusterInstance', lost: AWS },
    { group: `s3.${suffix}`, kinds: 'Bucket', lost: AWS },
    { group: `dynamodb.${suffix}`, kinds: 'Table GlobalTable', lost: AWS },
    { group: `efs.${suffix}`, kinds: 'FileSystem', lost: AWS },
    { group: `ebs.${suffix}`, kinds: 'EBSVolume', lost: AWS },
    { group: `ec2.${suffix}`, kinds: 'EBSVolume', lost: AWS },
    { group: `elasticache.${suffix}`, kinds: 'Cluster ReplicationGroup ServerlessCache', lost: AWS },
    { group: `memorydb.${suffix}`, kinds: 'Cluster', lost: AWS },
    { group: `opensearch.${suffix}`, kinds: 'Domain', lost: AWS },
    { group: `redshift.${suffix}`, kinds: 'Cluster', lost: AWS },
    { group: `kafka.${suffix}`, kinds: 'Cluster ServerlessCluster', lost: AWS },
    { group: `mq.${suffix}`, kinds: 'Broker', lost: AWS },
    { group: `sqs.${suffix}`, kinds: 'Queue', lost: AWS },
    { group: `kinesis.${suffix}`, kinds: 'Stream', lost: AWS },
    { group: `kms.${suffix}`, kinds: 'Key', lost: 'what the key encrypted cannot be read any more' },
    { group: `secretsmanager.${suffix}`, kinds: 'Secret', lost: AWS },
    { group: `ecr.${suffix}`, kinds: 'Repository', lost: AWS },
  ]),
  ...['gcp.upbound.io', 'gcp.m.upbound.io', 'gcp.crossplane.io'].flatMap((suffix): DataKind[] => [
    { group: `sql.${suffix}`, kinds: 'DatabaseInstance Database', lost: GOOGLE },
    { group: `database.${suffix}`, kinds: 'CloudSQLInstance', lost: GOOGLE },
    { group: `storage.${suffix}`, kinds: 'Bucket', lost: GOOGLE },
    { group: `spanner.${suffix}`, kinds: 'Instance Database', lost: GOOGLE },
    { group: `bigtable.${suffix}`, kinds: 'Instance Table', lost: GOOGLE },
    { group: `bigquery.${suffix}`, kinds: 'Dataset Table', lost: GOOGLE },
    { group: `redis.${suffix}`, kinds: 'Instance', lost: GOOGLE },
    { group: `filestore.${suffix}`, kinds: 'Instance', lost: GOOGLE },
    { group: `compute.${suffix}`, kinds: 'Disk', lost: GOOGLE },
    { group: `pubsub.${suffix}`, kinds: 'Topic Subscription', lost: GOOGLE },
    { group: `alloydb.${suffix}`, kinds: 'Cluster Instance', lost: GOOGLE },
  ]),
  ...['azure.upbound.io', 'azure.m.upbound.io'].flatMap((suffix): DataKind[] => [
    { group: `dbforpostgresql.${suffix}`, kinds: 'FlexibleServer FlexibleServerDatabase Server Database', lost: AZURE },
    { group: `dbformysql.${suffix}`, kinds: 'FlexibleServer FlexibleDatabase Server Database', lost: AZURE },
    { group: `dbformariadb.${suffix}`, kinds: 'Server Database', lost: AZURE },
    {
      group: `sql.${suffix}`,
      kinds: 'MSSQLServer MSSQLDatabase MSSQLManagedInstance MSSQLManagedDatabase',
      lost: AZURE,
    },
    {
      group: `cosmosdb.${suffix}`,
      kinds: 'Account SQLDatabase SQLContainer MongoDatabase MongoCollection',
      lost: AZURE,
    },
    { group: `storage.${suffix}`, kinds: 'Account Container Share Queue Table', lost: AZURE },
    { group: `cache.${suffix}`, kinds: 'RedisCache', lost: AZURE },
    { group: `compute.${suffix}`, kinds: 'ManagedDisk', lost: AZURE },
    { group: `keyvault.${suffix}`, kinds: 'Vault Key Secret', lost: AZURE },
  ]),
  // Google Config Connector
  { group: 'sql.cnrm.cloud.google.com', kinds: 'SQLInstance SQLDatabase', lost: GOOGLE },
  { group: 'storage.cnrm.cloud.google.com', kinds: 'StorageBucket', lost: GOOGLE },
  { group: 'spanner.cnrm.cloud.google.com', kinds: 'SpannerInstance SpannerDatabase', lost: GOOGLE },
  { group: 'bigtable.cnrm.cloud.google.com', kinds: 'BigtableInstance BigtableTable', lost: GOOGLE },
  { group: 'bigquery.cnrm.cloud.google.com', kinds: 'BigQueryDataset BigQueryTable', lost: GOOGLE },
  { group: 'redis.cnrm.cloud.google.com', kinds: 'RedisInstance', lost: GOOGLE },
  { group: 'filestore.cnrm.cloud.google.com', kinds: 'FilestoreInstance', lost: GOOGLE },
  { group: 'compute.cnrm.cloud.google.com', kinds: 'ComputeDisk', lost: GOOGLE },
  { group: 'alloydb.cnrm.cloud.google.com', kinds: 'AlloyDBCluster AlloyDBInstance', lost: GOOGLE },
  // Azure Service Operator
  { group: 'dbforpostgresql.azure.com', kinds: 'FlexibleServer FlexibleServersDatabase', lost: AZURE },
  { group: 'dbformysql.azure.com', kinds: 'FlexibleServer FlexibleServersDatabase', lost: AZURE },
  { group: 'sql.azure.com', kinds: 'Server ServersDatabase', lost: AZURE },
  { group: 'documentdb.azure.com', kinds: 'DatabaseAccount SqlDatabase MongodbDatabase', lost: AZURE },
  { group: 'storage.azure.com', kinds: 'StorageAccount StorageAccountsBlobServicesContainer', lost: AZURE },
  { group: 'cache.azure.com', kinds: 'Redis RedisEnterprise', lost: AZURE },
  { group: 'keyvault.azure.com', kinds: 'Vault', lost: AZURE },
  // Operators that run databases in the cluster
  { group: 'postgresql.cnpg.io', kinds: 'Cluster', lost: VOLUMES },
  { group: 'postgresql.cnpg.io', kinds: 'Database', lost: 'the database may be dropped with its data' },
  { group: 'kafka.strimzi.io', kinds: 'Kafka KafkaNodePool', lost: VOLUMES },
  { group: 'kafka.strimzi.io', kinds: 'KafkaTopic', lost: 'the topic is deleted with its messages' },
  { group: 'core.strimzi.io', kinds: 'StrimziPodSet', lost: VOLUMES },
  { group: 'acid.zalan.do', kinds: 'postgresql', lost: VOLUMES },
  { group: 'postgres-operator.crunchydata.com', kinds: 'PostgresCluster', lost: VOLUMES },
  { group: 'mysql.oracle.com', kinds: 'InnoDBCluster', lost: VOLUMES },
  { group: 'pxc.percona.com', kinds: 'PerconaXtraDBCluster', lost: VOLUMES },
  { group: 'psmdb.percona.com', kinds: 'PerconaServerMongoDB', lost: VOLUMES },
  { group: 'pgv2.percona.com', kinds: 'PerconaPGCluster', lost: VOLUMES },
  { group: 'k8s.mariadb.com', kinds: 'MariaDB Database', lost: VOLUMES },
  { group: 'mongodbcommunity.mongodb.com', kinds: 'MongoDBCommunity', lost: VOLUMES },
  { group: 'mongodb.com', kinds: 'MongoDB', lost: VOLUMES },
  { group: 'elasticsearch.k8s.elastic.co', kinds: 'Elasticsearch', lost: VOLUMES },
  { group: 'opensearch.opster.io', kinds: 'OpenSearchCluster', lost: VOLUMES },
  { group: 'rabbitmq.com', kinds: 'RabbitmqCluster Queue', lost: VOLUMES },
  { group: 'databases.spotahome.com', kinds: 'RedisFailover', lost: VOLUMES },
  { group: 'redis.redis.opstreelabs.in', kinds: 'Redis RedisCluster', lost: VOLUMES },
  { group: 'cassandra.datastax.com', kinds: 'CassandraDatacenter', lost: VOLUMES },
  { group: 'k8ssandra.io', kinds: 'K8ssandraCluster', lost: VOLUMES },
  { group: 'scylla.scylladb.com', kinds: 'ScyllaCluster', lost: VOLUMES },
  { group: 'clickhouse.altinity.com', kinds: 'ClickHouseInstallation', lost: VOLUMES },
  { group: 'minio.min.io', kinds: 'Tenant', lost: VOLUMES },
  { group: 'longhorn.io', kinds: 'Volume', lost: 'the volume is deleted with its data' },
  { group: 'ceph.rook.io', kinds: 'CephCluster CephBlockPool CephFilesystem CephObjectStore', lost: VOLUMES },
  { group: 'snapshot.storage.k8s.io', kinds: 'VolumeSnapshot', lost: 'the snapshot behind it may be deleted' },
];

const BY_KIND: ReadonlyMap<string, string> = new Map(
  KINDS.flatMap(({ kinds, group, lost }) => kinds.split(' ').map((kind) => [`${kind}.${group}`, lost] as const)),
);

/** `Kind.group`, with `*` for any part of it. */
export const KIND_PATTERN = /^([A-Za-z][A-Za-z0-9]*|\*)(\.([a-z0-9][a-z0-9-]*|\*))+$/;

/**
 * Returns what is lost if a custom resource is deleted. `more` contains further kinds as `Kind.group`, in which `*`
 * stands for any text without a dot. Data that its controller keeps is not lost.
 */
export function lostWith(object: KubeObject, more: readonly string[]): Text | undefined {
  if (isKeptByController(object)) return undefined;
  const { group, kind } = groupVersionKind(object);
  const name = `${kind}.${group}`;
  const own = more.some((pattern) => matches(pattern, name)) ? 'the data that it holds is gone' : undefined;
  const lost = BY_KIND.get(name) ?? own;
  return lost === undefined ? undefined : publicText`${lost}`;
}

function matches(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.split('.'), name.split('.')];
  return wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index]);
}

/** Annotations that make a controller keep the data of a deleted object. */
const KEEPS: Readonly<Record<string, string>> = {
  'services.k8s.aws/deletion-policy': 'retain',
  'cnrm.cloud.google.com/deletion-policy': 'abandon',
  'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete',
};

function isKeptByController(object: KubeObject): boolean {
  const annotation = (name: string): Value | undefined => getAt(object, ['metadata', 'annotations', name]);
  if (Object.entries(KEEPS).some(([name, value]) => annotation(name) === value)) return true;
  if (getAt(object, ['spec', 'deletionPolicy']) === 'Orphan') return true;
  const policies = getAt(object, ['spec', 'managementPolicies']);
  return Array.isArray(policies) && policies.length > 0 && !policies.includes('*') && !policies.includes('Delete');
}
