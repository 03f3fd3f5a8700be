package drive

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"saldo/internal/platform/outbound"
)

// S3 is a folder in a bucket. The bucket must be there.
type S3 struct {
	client         *minio.Client
	bucket, folder string
}

// sumHeader is where the sum of a file stands beside it.
const sumHeader = "Sha256"

// NewS3 connects a bucket at an address that outbound.Address read: its host, then the bucket, then folders.
func NewS3(base *url.URL, region, account, password string, transport http.RoundTripper) (*S3, error) {
	bucket, folder, _ := strings.Cut(strings.Trim(base.Path, "/"), "/")
	client, err := minio.New(base.Host, &minio.Options{Creds: credentials.NewStaticV4(account, password, ""), Secure: base.Scheme == "https",
		Transport: transport, Region: region, BucketLookup: minio.BucketLookupAuto, MaxRetries: 1}) // whoever delivers tries again
	if err != nil || bucket == "" {
		return nil, NoFolder
	}
	return &S3{client: client, bucket: bucket, folder: folder}, nil
}

func (s *S3) key(path string) string {
	if s.folder == "" {
		return path
	}
	return s.folder + "/" + path
}

func problemOfS3(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, outbound.ErrPrivate) {
		return Private
	}
	answer := minio.ToErrorResponse(err)
	switch answer.Code {
	case "NoSuchBucket":
		return NoFolder
	case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "AllAccessDisabled", "AccountProblem", "ExpiredToken", "InvalidToken":
		return Denied
	case "QuotaExceeded", "XMinioAdminBucketQuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "InsufficientCapacity":
		return NoSpace
	case "SlowDown", "TooManyRequests", "RequestTimeout", "OperationAborted":
		return Busy
	}
	if answer.StatusCode == 0 {
		return Away // the error may name the address
	}
	return problemOf(answer.StatusCode)
}

func is(err error, status int) bool {
	return err != nil && minio.ToErrorResponse(err).StatusCode == status && minio.ToErrorResponse(err).Code != "NoSuchBucket"
}

// Put uploads; the service shows an object when all of it is there.
func (s *S3) Put(ctx context.Context, f File) error {
	there, err := s.compare(ctx, f)
	if there || err != nil {
		return err
	}
	content, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	options := minio.PutObjectOptions{ContentType: f.Type, UserMetadata: map[string]string{sumHeader: hex.EncodeToString(f.Sum[:])},
		DisableContentSha256: true, SendContentMd5: true, PartSize: 16 << 20, NumThreads: 1}
	options.SetMatchETagExcept("*") // whoever put another file there meanwhile keeps it
	_, err = s.client.PutObject(ctx, s.bucket, s.key(f.Path), content, f.Size, options)
	if is(err, http.StatusPreconditionFailed) || is(err, http.StatusConflict) {
		if there, err := s.compare(ctx, f); there || err != nil {
			return err
		}
		return Busy
	}
	return problemOfS3(err)
}

func (s *S3) compare(ctx context.Context, f File) (bool, error) {
	found, err := s.client.StatObject(ctx, s.bucket, s.key(f.Path), minio.StatObjectOptions{})
	switch {
	case is(err, http.StatusNotFound):
		return false, nil
	case err != nil:
		return false, problemOfS3(err)
	case found.Size == f.Size && found.UserMetadata[sumHeader] == hex.EncodeToString(f.Sum[:]):
		return true, nil
	}
	content, err := s.client.GetObject(ctx, s.bucket, s.key(f.Path), minio.GetObjectOptions{})
	if err != nil {
		return false, problemOfS3(err)
	}
	defer func() { _ = content.Close() }()
	same, err := f.same(content)
	switch {
	case err != nil:
		return false, problemOfS3(err)
	case !same:
		return false, ErrOther
	}
	return true, nil
}

// Free is not told by such services.
func (s *S3) Free(context.Context) (int64, error) { return Unknown, nil }

// Test writes and removes a small object.
func (s *S3) Test(ctx context.Context) error {
	const name, text = ".saldo-test", "Saldo can write here.\n"
	_, err := s.client.PutObject(ctx, s.bucket, s.key(name), strings.NewReader(text), int64(len(text)),
		minio.PutObjectOptions{ContentType: "text/plain", DisableContentSha256: true, SendContentMd5: true, DisableMultipart: true})
	if err != nil {
		return problemOfS3(err)
	}
	// Who may write but not remove can still be delivered to.
	_ = s.client.RemoveObject(ctx, s.bucket, s.key(name), minio.RemoveObjectOptions{})
	return nil
}
