module kubernetes-minors

go 1.26
