module gitlab.com/gitlab-org/step-runner

go 1.26.4

require google.golang.org/grpc v1.82.0
